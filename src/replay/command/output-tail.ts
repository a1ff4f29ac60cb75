import { stripVTControlCharacters } from 'node:util'

/** Lines that are kept. */
export const mostLines = 40

/** Characters of a line that are kept. */
const mostCharacters = 400

/** What XML and terminals cannot take, once colours are gone; tabs stay. */
const controls = /(?!\t)[\p{Cc}\ufffe\uffff]/gu

/** The last lines of what a program writes, whatever it writes. */
export class OutputTail {
  #lines: string[] = []

  /** Adds lines that came after those before. */
  add(lines: readonly string[]): void {
    const last = lines.slice(-mostLines)
    // The characters are copied: a piece of a text would keep all of it in memory.
    this.#lines = [...this.#lines, ...last.map(shortened)].slice(-mostLines)
  }

  /** The lines as plain text, without colours and other controls, and without a line break at the end. */
  get text(): string {
    return this.#lines.join('\n').trimEnd()
  }
}

function shortened(line: string): string {
  const plain = stripVTControlCharacters(line.slice(0, 4 * mostCharacters))
    .replace(controls, '')
    .toWellFormed()
  const cut = plain.length > mostCharacters ? `${plain.slice(0, mostCharacters - 1)}…` : plain
  return Buffer.from(cut).toString()
}
