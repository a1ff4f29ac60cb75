import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { boundedLines } from './bounded-lines.js'

/** Returns what is passed on of chunks, of which each piece must be whole lines, and what is refused. */
async function passed(chunks: readonly string[]) {
  const refused: string[] = []
  const input = new PassThrough()
  const lines = boundedLines(input, (problem) => void refused.push(problem))
  for (const chunk of chunks) input.write(chunk)
  input.end()
  const pieces: string[] = []
  for await (const piece of lines) pieces.push(String(piece))
  // Pieces that wait may be joined.
  expect(pieces.every((piece) => piece.endsWith('\n'))).toBe(true)
  return { text: pieces.join(''), refused }
}

it('passes on each line as a whole, wherever the input is divided', async () => {
  const lines = [{ a: 'x'.repeat(100) }, { b: ['é', '\n'] }].map((line) => `${JSON.stringify(line)}\n`)
  const { text, refused } = await passed(lines.join('').match(/[\s\S]{1,7}/g) ?? [])
  expect([text, refused]).toEqual([lines.join(''), []])
})

it('leaves out the lines that exceed the bounds, and no others', async () => {
  const keys = `{${'"a":1,'.repeat(2_000)}"b":1}\n`
  const { text, refused } = await passed(['[1]\n', keys, `${'['.repeat(200)}\n[2]`, '\n'])
  expect(text).toBe('[1]\n[2]\n')
  expect(refused).toEqual([
    expect.stringContaining('1000 in one object'),
    expect.stringContaining('100 deep'),
  ])
})
