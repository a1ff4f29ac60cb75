import { expect, it } from 'vitest'
import { formatMarkdown } from './markdown.js'
import { command, failedVerdict, report, verdict } from './report.fixture.js'

it('a summary in Markdown has a row for each thing that was judged, and the details of what failed', () => {
  expect(formatMarkdown(report({ verdicts: [verdict(), failedVerdict({ index: 1 })] }))).toBe(
    [
      '### ❌ refund-request failed: 1 of 2 expectations',
      '',
      '| | what must be so | |',
      '|---|---|---|',
      '| ✅ | The agent opened the thread. |  |',
      '| ❌ | It asked for the threads of its own handle. | found 0 of 14 requests of threads.list |',
      "| ✅ | python 'my agent.py' ended with status 0 |  |",
      '',
      '<details><summary>It asked for the threads of its own handle.</summary>',
      '',
      '```text',
      'expected  at least 1 request of threads.list with query.agent "support"',
      'found     0 of 14 requests of threads.list',
      'nearest   GET /api/v1/mail/threads?agent=billing 200 (exchange 3, 1m10s into the story)',
      '          query.agent: expected "support", found "billing"',
      '```',
      '',
      '</details>',
      '',
      '3m30s of story, 14 requests, 1 deliveries, seed 7, 21.4 s.',
      '',
      '',
    ].join('\n'),
  )
})

it('nothing that stands in a report is taken for Markdown or HTML', () => {
  const outcome = command({ passed: false, problem: 'ended with status 1', output: '````\n<b>' })
  const verdicts = [verdict({ describe: 'a|b *c* <script> & `d`\n[e](f)' })]
  const text = formatMarkdown(report({ verdicts, command: outcome }))
  expect(text).toContain('| ✅ | a\\|b \\*c\\* &lt;script> &amp; \\`d\\` \\[e\\](f) |  |')
  expect(text).toContain('`````text\n````\n<b>\n`````')
})
