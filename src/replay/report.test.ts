import { describe, expect, it } from 'vitest'
import { command, failedResult, report, result } from '../../test/support/replay/report.fixture.js'
import { formatReport, type Style } from '../reports/index.js'
import { type ReplayReport, replayReport } from './report.js'

const formatHuman = (run: ReplayReport, style?: Style) =>
  formatReport('human', replayReport(run), style ? { style } : {})
const formatJunit = (run: ReplayReport) => formatReport('junit', replayReport(run))

const linesOf = (text: string): string[] => text.split('\n')

describe('a human report', () => {
  it('shows the expectations of a run that passed', () => {
    expect(formatHuman(report())).toBe(
      [
        '✓ refund-request passed: its expectation holds',
        '',
        '✓ The agent opened the thread.',
        "✓ python 'my agent.py' ended with status 0",
        '',
        '3m30s of story at 10x in 21.4 s; 14 requests, 1 delivery; seed 7',
        '',
      ].join('\n'),
    )
  })

  it('starts with the failed expectations', () => {
    const text = formatHuman(report({ verdicts: [result(), failedResult({ index: 1 })] }))
    expect(linesOf(text).slice(0, 7)).toEqual([
      '✗ refund-request failed: 1 of 2 expectations',
      '',
      '✗ It asks for the threads of its own handle.',
      '    expected  at least 1 request of threads.list with query.agent "support"',
      '    found     0 of 14 requests of threads.list',
      '    nearest   GET /api/v1/mail/threads?agent=billing 200 (exchange 3, 1m10s into the story)',
      '              query.agent: expected "support", found "billing"',
    ])
  })

  it('names the failures in its first ten lines, counts those that do not fit, and has details of all', () => {
    const verdicts = Array.from({ length: 12 }, (_, index) =>
      failedResult({ index, describe: `Failure ${index}.` }),
    )
    const lines = linesOf(formatHuman(report({ verdicts })))
    expect(lines[0]).toBe('✗ refund-request failed: 12 of 12 expectations')
    const found = '(found 0 of 14 requests of threads.list)'
    expect(lines.slice(2, 10)).toEqual(verdicts.slice(0, 8).map(({ describe: it }) => `✗ ${it} ${found}`))
    expect(lines[10]).toBe('  and 4 more')
    expect(lines.filter((line) => line.startsWith('    expected  at least 1 request'))).toHaveLength(12)
  })

  it('names failures without details once', () => {
    const verdicts = Array.from({ length: 6 }, (_, index) => failedResult({ index }))
    const outcome = command({ status: 3, passed: false, problem: 'ended with status 3' })
    const lines = linesOf(formatHuman(report({ verdicts, command: outcome })))
    expect(lines[0]).toBe('✗ refund-request failed: 6 of 6 expectations and the command')
    expect(lines.filter((line) => line === "✗ python 'my agent.py' ended with status 3")).toHaveLength(1)
  })

  it('shows the actual value of a resource once', () => {
    const differences = ['display_name: expected "Busy", found "Support"']
    const nearest = { line: 'identity support', exchange: null, at: '2026-01-05T09:03:30Z', differences }
    const verdict = failedResult({ kind: 'identity', found: 'display_name: "Support"', nearest })
    expect(formatHuman(report({ verdicts: [verdict] })).split('"Support"')).toHaveLength(2)
  })

  it('shows the last output and the leftover processes of a failed command', () => {
    const outcome = command({
      status: null,
      signal: 'SIGSEGV',
      passed: false,
      problem: 'was ended by SIGSEGV: it crashed',
      notes: ['It left something running, which was ended.'],
      output: 'one\ntwo',
    })
    const text = formatHuman(report({ command: outcome }))
    expect(text).toContain(
      "✗ python 'my agent.py' was ended by SIGSEGV: it crashed\n    note  It left something running",
    )
    expect(text).toContain("\nThe last lines of python 'my agent.py':\n│ one\n│ two\n")
    expect(text).toContain(
      'note: the command ended before the story was over; the rest of it happened without it\n',
    )
  })

  it('omits expectations if the command did not start', () => {
    const problem = 'There is no program x in PATH.'
    const outcome = command({ status: null, ended: 'not-started', passed: false, problem })
    const text = formatHuman(report({ verdicts: [failedResult()], command: outcome }))
    expect(linesOf(text).slice(0, 4)).toEqual([
      '✗ refund-request failed: the command could not be started',
      '',
      '✗ There is no program x in PATH.',
      '',
    ])
    expect(text).not.toContain('expected')
  })

  it('notes that no command was run', () => {
    const text = formatHuman(report({ verdicts: [failedResult()], command: null, clock: 'frozen' }))
    expect(text).toContain(
      'note: no command was run, so no agent took part in the story; give one after --\n',
    )
    expect(text).toContain('3m30s of story in 21.4 s')
  })

  it('shows failed timeline entries', () => {
    const played = [{ name: 'bounce', at: '2026-01-05T09:02:00.000Z', problem: 'There is no such message.' }]
    const text = formatHuman(report({ passed: false, timeline: { played, left: 0 } }))
    expect(text).toContain('✗ refund-request failed: 1 entry of the timeline\n')
    expect(text).toContain(
      '✗ The story could not be played as written, 2m into it: bounce\n    problem  There is no such message.\n',
    )
  })

  it('uses colors only with a style', () => {
    const mark = (text: string): string => `<${text}>`
    const style = { strong: mark, faint: mark, good: mark, bad: mark }
    expect(formatHuman(report(), style)).toMatch(/^<✓> <refund-request passed: its expectation holds>\n/)
  })
})

describe('a JUnit report', () => {
  it('counts failures and errors', () => {
    const failed = formatJunit(report({ verdicts: [result(), failedResult()] }))
    expect(failed).toContain('tests="4" failures="1" errors="0"')
    const problem = 'There is no program x in PATH.'
    const outcome = command({ ended: 'not-started', passed: false, problem })
    const broken = formatJunit(report({ command: outcome }))
    expect(broken).toContain('tests="1" failures="0" errors="1"')
    expect(broken).toContain('<error type="command" message="There is no program x in PATH.">')
  })

  it('has unique test case names that do not depend on the result', () => {
    const names = (run: Parameters<typeof formatJunit>[0]): (string | undefined)[] =>
      [...formatJunit(run).matchAll(/<testcase name="(.*?)"/g)].map(([, name]) => name)
    const twice = [result(), result({ index: 1 })]
    const failed = twice.map((passed) => ({ ...passed, passed: false }))
    const bad = command({ passed: false, problem: 'died' })
    expect(names(report({ verdicts: failed, command: bad }))).toEqual(names(report({ verdicts: twice })))
    expect(new Set(names(report({ verdicts: twice }))).size).toBe(4)
  })
})

it('formats a Markdown report with a row for each result and details of failures', () => {
  const run = report({ verdicts: [result(), failedResult({ index: 1 })] })
  expect(formatReport('markdown', replayReport(run))).toBe(
    `### ❌ refund-request failed: 1 of 2 expectations

|  | what must be true |  |
| --- | --- | --- |
| ✅ | The agent opened the thread. |  |
| ❌ | It asks for the threads of its own handle. | found 0 of 14 requests of threads.list |
| ✅ | python 'my agent.py' ended with status 0 |  |

<details><summary>It asks for the threads of its own handle.</summary>

\`\`\`text
expected  at least 1 request of threads.list with query.agent "support"
found     0 of 14 requests of threads.list
nearest   GET /api/v1/mail/threads?agent=billing 200 (exchange 3, 1m10s into the story)
          query.agent: expected "support", found "billing"
\`\`\`

</details>

Note: the command ended before the story was over; the rest of it happened without it

3m30s of story at 10x in 21.4 s; 14 requests, 1 delivery; seed 7

`,
  )
})

it('escapes Markdown and HTML in a Markdown report', () => {
  const outcome = command({ passed: false, problem: 'ended with status 1', output: '````\n<b>' })
  const verdicts = [result({ describe: 'a|b *c* <script> & `d`\n[e](f)' })]
  const text = formatReport('markdown', replayReport(report({ verdicts, command: outcome })))
  expect(text).toContain('| ✅ | a\\|b \\*c\\* &lt;script> &amp; \\`d\\` \\[e\\](f) |  |')
  expect(text).toContain('`````text\n````\n<b>\n`````')
})

it('shows the time of an interruption and the failures so far', () => {
  const verdicts = [result(), failedResult({ index: 1 })]
  const outcome = command({ ended: 'interrupted' })
  const text = formatHuman(report({ passed: false, interrupted: true, verdicts, command: outcome }))
  expect(linesOf(text)[0]).toBe(
    '✗ refund-request was interrupted 3m30s into the story; failed so far: 1 of 2 expectations',
  )
  expect(text).toContain("✓ python 'my agent.py' ran until the replay was interrupted\n")
})
