import { styleText } from 'node:util'

/** Where text goes: a stream that may be a terminal. */
export interface Output {
  readonly isTTY?: boolean
  hasColors?(): boolean
}

/** Marks up text for people. */
export interface Paint {
  strong(text: string): string
  faint(text: string): string
  good(text: string): string
  bad(text: string): string
}

/** How text is marked up on an output: not at all where it is no terminal, or where `NO_COLOR` is set. */
export function paintFor(output: Output): Paint {
  const coloured = output.isTTY === true && output.hasColors?.() === true
  const paint = (style: 'bold' | 'dim' | 'green' | 'red') => (text: string) =>
    coloured ? styleText(style, text) : text
  return { strong: paint('bold'), faint: paint('dim'), good: paint('green'), bad: paint('red') }
}

/** Whatever controls a terminal: single characters, and the sequences they begin, which colour, move or name things. */
const controls = /(?!\t)\p{Cc}(?:\[[0-?]*[ -/]*[@-~]|\][^\p{Cc}]*\p{Cc}\\?)?/gu

/** A line some other program wrote, as it may be shown on a terminal: its colours stay, and end with it. */
export function tamed(line: string): string {
  let coloured = false
  const text = line.replace(controls, (found) => {
    const isColour = found.startsWith('\x1b[') && /^[\d;:]*m$/.test(found.slice(2))
    coloured ||= isColour
    return isColour ? found : ''
  })
  return coloured ? `${text}\x1b[0m` : text
}

/** Lets the process go on when whoever read a stream has left, as `head` does. */
export function outliveReader(stream: NodeJS.WritableStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
