import { expect } from 'vitest'

/** Returns the rows of the tables in Markdown, cell by cell. */
export function rowsOf(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  return rows.map((row) => row.slice(2, -2).split(/ ?(?<!\\)\| ?/))
}

/** Asserts that a generated page has no markup in its tables outside of code and no trailing spaces. */
export function expectNoStrayMarkup(page: string): void {
  for (const cell of rowsOf(page).flat()) {
    expect((cell.match(/`/g) ?? []).length % 2, cell).toBe(0)
    expect(cell.replace(/`[^`]*`/g, ''), cell).not.toMatch(/[<>*{}]|(?<!\\)\|/)
  }
  expect(page).toMatch(/[^\n]\n$/)
  expect(page).not.toMatch(/[ \t]$|undefined|\[object/m)
}
