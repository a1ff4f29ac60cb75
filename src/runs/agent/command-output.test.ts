import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommandOutput } from './command-output.js'

/** Returns the lines that are passed on when a text arrives in pieces. */
async function linesOf(pieces: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  const stream = new PassThrough()
  const read = new CommandOutput((more) => lines.push(...more)).read(stream, 'stdout')
  for (const piece of pieces) stream.write(piece)
  stream.end()
  await read
  return lines
}

describe('CommandOutput', () => {
  it('passes on the same lines for any pieces', async () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n') }))
    const property = fc.asyncProperty(pieces, async (parts) => {
      const whole = parts.join('')
      const lines = whole.endsWith('\n') ? whole.slice(0, -1).split('\n') : whole.split('\n')
      expect(await linesOf(parts)).toEqual(whole === '' ? [] : lines)
    })
    await fc.assert(property)
  })

  it('applies carriage returns as a terminal does', async () => {
    expect(await linesOf(['a\r\n', '10%\r2', '0%\n', '\n'])).toEqual(['a', '20%', ''])
  })

  it('truncates very long lines', async () => {
    const long = 'x'.repeat(5_000)
    expect(await linesOf([long, long, long, `${long}\nb`])).toEqual([`${'x'.repeat(8_192)}…`, 'b'])
  })
})

async function complaintOf(text: string): Promise<string | undefined> {
  const output = new CommandOutput(undefined)
  const stream = new PassThrough()
  const read = output.read(stream, 'stderr')
  stream.end(text)
  await read
  return output.complaint
}

/** The lines before and after the one that explains a failure. */
const outputs: [name: string, before: string, line: string, after: string][] = [
  [
    'Node',
    "if (all.length < 100) throw new Error('x')\n    ^\n",
    'Error: expected more, got 50',
    '    at file:///a.mjs:9:29',
  ],
  [
    'Vitest',
    ' × reads every page 12ms\n FAIL  page.test.ts > reads',
    'AssertionError: expected 50 to be 402',
    ' Tests  1 failed',
  ],
  ['Python', 'Traceback (most recent call last):\n  print(message["html"])', "KeyError: 'html'", ''],
  [
    'pytest',
    '>       assert len(read()) == 402',
    'E       assert 50 == 402',
    'test_agent.py:7: AssertionError\nFAILED test_agent.py',
  ],
  ['node:test', '# Subtest: reads every page', 'not ok 1 - reads every page', "  code: 'ERR_ASSERTION'"],
  ['Go', 'ok', '--- FAIL: TestPages (0.02s)', '    pages_test.go:31: got 50 threads, want 402\nFAIL'],
  ['a Go panic', 'goroutine 1', 'panic: runtime error: index out of range [0]', 'exit'],
  ['Rust', 'running 1 test', "thread 'main' panicked at src/main.rs:4:5:", 'no html'],
  [
    'Java',
    '',
    'Exception in thread "main" java.lang.IllegalStateException: no html',
    '\tat Agent.main(Agent.java:7)',
  ],
  ['a logged error', 'starting', '{ status: 500, cause: [TypeError: fetch failed] }', 'bye'],
  ['a program of the shell', 'looking for mail', 'error: no mail at all', 'bye'],
  ['no errors', 'one\ntwo\n', 'three', '\n'],
  ['counts of zero errors', '0 errors, 0 failed\nno failures\nerrors: 0', '1 thread read', ''],
]

it.each(outputs)('finds the complaint in the output of %s', async (_, before, line, after) => {
  expect(await complaintOf([before, line, after].join('\n'))).toBe(line)
})

it('finds no complaint in empty output, and shows one as plain text', async () => {
  expect(await complaintOf('\n  \n')).toBeUndefined()
  expect(await complaintOf('\u001b[31mError: no\u001b[39m\u0007 html\nbye')).toBe('Error: no html')
})
