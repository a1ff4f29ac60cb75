import { expect } from 'vitest'
import { blocksIn } from './documents.js'

/**
 * Asserts that a page shows what a command prints: the lines of its block that begins with some words are in the output,
 * in that order, with any numbers, ids and paths; `…` stands for omitted parts.
 */
export function expectShown(page: string, begins: string, output: string): void {
  const shown = blocksIn(page).flatMap(({ text }) => (text.startsWith(begins) ? text : []))
  expect(shown, `${page}: a block that begins with "${begins}"`).toHaveLength(1)
  const lines = (shown[0] ?? '')
    .split('\n')
    .map((line) => line.replace(/ *…$/, ''))
    .filter((line) => line !== '')
  expect(lines.length).toBeGreaterThan(2)
  let rest = masked(output)
  for (const line of lines) {
    const at = rest.indexOf(masked(line))
    expect(at, `${page} shows: ${line}\nand what comes is:\n${rest.slice(0, 1500)}`).toBeGreaterThanOrEqual(0)
    rest = rest.slice(at + masked(line).length)
  }
}

/** Masks the parts of a text that vary: numbers, ids and folders. */
function masked(text: string): string {
  return text
    .replace(/\b(ident|thrd|msg)_[a-z0-9…]+/g, '$1_#')
    .replace(/(?:\.{0,2}\/)?(?:[\w.-]+\/)+([\w.-]+\.\w+)/g, '$1')
    .replace(/\d+/g, '#')
    .replace(/ +/g, ' ')
}
