/** A block of code, in a fence that nothing in it ends. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

/** Text that shows once its title is opened. */
export function folded(title: string, text: string): string {
  return `<details><summary>${escaped(title)}</summary>\n\n${fenced(text)}\n\n</details>`
}

/** Text for a cell of a table. */
export function cell(text: string): string {
  return escaped(text).replace(/\s+/g, ' ')
}

/** Text as it is, whatever Markdown or HTML would make of it. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|~]/g, '\\$&')
}
