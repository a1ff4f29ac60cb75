import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSplitter } from './command-output.js'

/** Returns the lines of a text in pieces. */
function linesOf(pieces: readonly string[], last?: number): string[] {
  const lines: string[] = []
  const splitter = new LineSplitter((more) => lines.push(...more))
  for (const piece of pieces) splitter.push(piece, last)
  splitter.end()
  return lines
}

const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n') }))

describe('LineSplitter', () => {
  it('returns the same lines for any pieces', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const whole = parts.join('')
        const lines = whole.endsWith('\n') ? whole.slice(0, -1).split('\n') : whole.split('\n')
        expect(linesOf(parts)).toEqual(whole === '' ? [] : lines)
      }),
    )
  })

  it('returns the same last lines if limited to the last of each piece', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        expect(linesOf(parts, 2).slice(-2)).toEqual(linesOf(parts).slice(-2))
      }),
    )
  })

  it('applies carriage returns as a terminal does', () => {
    expect(linesOf(['a\r\n', '10%\r2', '0%\n', '\n'])).toEqual(['a', '20%', ''])
  })

  it('truncates very long lines', () => {
    const long = 'x'.repeat(5_000)
    expect(linesOf([long, long, long, `${long}\nb`])).toEqual([`${'x'.repeat(8_192)}…`, 'b'])
  })
})
