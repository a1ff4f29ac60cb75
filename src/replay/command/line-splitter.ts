/** The longest line that is passed on whole, in characters. */
const longest = 8_192

/** Cuts what comes in pieces into lines; one without an end costs no more than others. */
export class LineSplitter {
  readonly #onLines: (lines: readonly string[]) => void
  #rest = ''
  /** Whether what comes belongs to a line that was passed on already, cut. */
  #skipping = false

  constructor(onLines: (lines: readonly string[]) => void) {
    this.#onLines = onLines
  }

  /** Takes the next piece. With `last`, only so many lines of it are looked at, those at its end. */
  push(piece: string, last = Number.POSITIVE_INFINITY): void {
    const start = startOfLast(piece, last)
    if (start > 0) {
      this.#rest = ''
      this.#skipping = false
    }
    const parts = (start > 0 ? piece.slice(start) : piece).split('\n')
    const rest = parts.pop() as string
    const lines: string[] = []
    for (const part of parts) {
      if (!this.#skipping) lines.push(shownOf(this.#rest + part))
      this.#rest = ''
      this.#skipping = false
    }
    this.#keep(rest, lines)
    if (lines.length > 0) this.#onLines(lines)
  }

  /** Passes on the last line where it has no end. */
  end(): void {
    if (this.#rest !== '') this.#onLines([shownOf(this.#rest)])
    this.#rest = ''
  }

  #keep(rest: string, lines: string[]): void {
    if (this.#skipping) return
    this.#rest += rest
    if (this.#rest.length <= longest) return
    lines.push(shownOf(this.#rest))
    this.#rest = ''
    this.#skipping = true
  }
}

/** The place in a piece at which its last lines begin; 0 where it has no more than those. */
function startOfLast(piece: string, last: number): number {
  if (!Number.isFinite(last)) return 0
  let start = piece.length
  for (let count = 0; count <= last; count++) {
    if (start === 0) return 0
    start = piece.lastIndexOf('\n', start - 1)
    if (start < 0) return 0
  }
  return start + 1
}

/** A line as a terminal would show it: what was written over is gone. */
function shownOf(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line
  const shown = whole.slice(whole.lastIndexOf('\r') + 1)
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown
}
