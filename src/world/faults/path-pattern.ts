/** The regular expression of a path in which `*` stands for any characters. */
export function pathPattern(path: string): RegExp {
  const literal = path.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${literal.join('.*')}$`)
}
