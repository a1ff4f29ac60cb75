/**
 * Whether mail to an address comes back: what a list of patterns says, in which `*` stands for any characters and
 * upper case for lower.
 */
export function bouncesBy(patterns: readonly string[]): (address: string) => boolean {
  const fitting = patterns.map((pattern) => {
    const source = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|/-]/g, '\\$&'))
    return new RegExp(`^${source.join('.*')}$`, 'i')
  })
  return (address) => fitting.some((pattern) => pattern.test(address))
}
