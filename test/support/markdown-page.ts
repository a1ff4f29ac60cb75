import { expect } from 'vitest'

/** Returns the rows of the tables in Markdown, cell by cell. */
export function rowsOf(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  return rows.map((row) => row.slice(2, -2).split(/ ?(?<!\\)\| ?/))
}

/** Asserts that the internal links of a page lead to its headings; returns the headings' anchors and the links. */
export function linksOf(page: string): { anchors: string[]; links: string[] } {
  const headings = [...page.matchAll(/^###? (.+)$/gm)].map(([, heading = '']) => heading)
  // As GitHub makes anchors of headings.
  const anchors = headings.map((heading) => {
    return heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
  })
  expect(new Set(anchors).size).toBe(anchors.length)
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
  expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([])
  return { anchors, links }
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
