import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommandOutput, FailureLine } from './command-output.js'

/** Returns the lines that are passed on of a text in pieces. */
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

function best(text: string, known?: ReadonlySet<string>): string | undefined {
  const failure = new FailureLine(known)
  failure.add(text.split('\n'))
  return failure.best
}

const outputs: [name: string, output: string, line: string][] = [
  [
    'Node',
    `read 50
file:///app/check.mjs:9
if (all.length < 100) throw new Error(\`expected more\`)
                            ^

Error: expected more, got 50
    at file:///app/check.mjs:9:29

Node.js v20.20.2`,
    'Error: expected more, got 50',
  ],
  [
    'Vitest',
    ` ❯ page.test.ts (2 tests | 1 failed) 31ms
   × reads every page 12ms
     → expected 50 to be 402 // Object.is equality
 FAIL  page.test.ts > reads every page
AssertionError: expected 50 to be 402 // Object.is equality
 Tests  1 failed | 1 passed (2)`,
    'AssertionError: expected 50 to be 402 // Object.is equality',
  ],
  [
    'Python',
    `Traceback (most recent call last):
  File "agent.py", line 12, in <module>
    print(message["html"])
KeyError: 'html'`,
    "KeyError: 'html'",
  ],
  [
    'pytest',
    `    def test_pages():
>       assert len(read()) == 402
E       assert 50 == 402

test_agent.py:7: AssertionError
FAILED test_agent.py::test_pages - assert 50 == 402`,
    'E       assert 50 == 402',
  ],
  [
    'node:test',
    `# Subtest: reads every page
not ok 1 - reads every page
  ---
  code: 'ERR_ASSERTION'`,
    'not ok 1 - reads every page',
  ],
  [
    'Go',
    `--- FAIL: TestPages (0.02s)
    pages_test.go:31: got 50 threads, want 402
FAIL`,
    '--- FAIL: TestPages (0.02s)',
  ],
  [
    'a Go panic',
    'goroutine 1\npanic: runtime error: index out of range [0] with length 0',
    'panic: runtime error: index out of range [0] with length 0',
  ],
  [
    'Rust',
    "running 1 test\nthread 'main' panicked at src/main.rs:4:5:\nno html",
    "thread 'main' panicked at src/main.rs:4:5:",
  ],
  [
    'Java',
    'Exception in thread "main" java.lang.IllegalStateException: no html\n\tat Agent.main(Agent.java:7)',
    'Exception in thread "main" java.lang.IllegalStateException: no html',
  ],
  [
    'a logged error',
    'starting\n{ status: 500, cause: [TypeError: fetch failed] }\nbye',
    '{ status: 500, cause: [TypeError: fetch failed] }',
  ],
  ['a program of the shell', 'looking for mail\nerror: no mail at all\nbye', 'error: no mail at all'],
  [
    'words only',
    'looking\nCould not go on: the server refused it\nbye',
    'Could not go on: the server refused it',
  ],
  ['no errors', 'one\ntwo\n\nthree\n\n', 'three'],
  ['counts of zero errors', '0 errors, 0 failed\nno failures\nerrors: 0\n1 thread read', '1 thread read'],
]

describe('FailureLine', () => {
  it.each(outputs)('finds the reason in the output of %s', (_, output, line) => {
    expect(best(output)).toBe(line)
  })

  it('finds nothing in empty output', () => {
    expect(best('\n  \n')).toBeUndefined()
  })

  it('removes colors and truncates the line', () => {
    expect(best('\u001b[31mError: no\u001b[39m\u0007\thtml')).toBe('Error: no html')
    expect(best(`Error: ${'x'.repeat(100_000)}`)).toHaveLength(300)
  })

  it('avoids lines that the command also writes when it passes', () => {
    const fine = new FailureLine()
    fine.add(['12:01 Error: no token, trying without', '12:02 done'])
    const broken = '12:05 Error: no token, trying without\nnot ok 1 - reads every page'
    expect(best(broken, fine.seen)).toBe('not ok 1 - reads every page')
    expect(best('12:05 Error: no token, trying without\nbye', fine.seen)).toBe(
      '12:05 Error: no token, trying without',
    )
  })
})
