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
}

/** How text is marked up on an output: not at all where it is no terminal, or where `NO_COLOR` is set. */
export function paintFor(output: Output): Paint {
  const coloured = output.isTTY === true && output.hasColors?.() === true
  const paint = (style: 'bold' | 'dim') => (text: string) => (coloured ? styleText(style, text) : text)
  return { strong: paint('bold'), faint: paint('dim') }
}

/** Lets the process go on when whoever read a stream has left, as `head` does. */
export function outliveReader(stream: NodeJS.WritableStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
