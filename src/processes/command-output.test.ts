import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSplitter } from './command-output.js'

/** The lines of a text that comes in pieces. */
function linesOf(pieces: readonly string[], last?: number): string[] {
  const lines: string[] = []
  const splitter = new LineSplitter((more) => lines.push(...more))
  for (const piece of pieces) splitter.push(piece, last)
  splitter.end()
  return lines
}

const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n') }))

describe('the lines of a text', () => {
  it('are the same, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const whole = parts.join('')
        const lines = whole.endsWith('\n') ? whole.slice(0, -1).split('\n') : whole.split('\n')
        expect(linesOf(parts)).toEqual(whole === '' ? [] : lines)
      }),
    )
  })

  it('end with the same ones where only the last of each piece are looked at', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        expect(linesOf(parts, 2).slice(-2)).toEqual(linesOf(parts).slice(-2))
      }),
    )
  })

  it('are as a terminal would show them', () => {
    expect(linesOf(['a\r\n', '10%\r2', '0%\n', '\n'])).toEqual(['a', '20%', ''])
  })

  it('are cut where they are very long, and go on with the next', () => {
    const long = 'x'.repeat(5_000)
    expect(linesOf([long, long, long, `${long}\nb`])).toEqual([`${'x'.repeat(8_192)}…`, 'b'])
  })
})
