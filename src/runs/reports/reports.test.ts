import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { anyText } from '../../../test/support/any-text.js'
import { junitCases } from '../../../test/support/replay/junit-cases.js'
import { formatReport } from './format-report.js'
import type { Finding, Report } from './report.js'

const schema = await readFile(new URL('../../../test/replay/junit.xsd', import.meta.url), 'utf8')

const failure = (title: string, found = '0 of 14'): Finding => ({
  kind: 'request',
  title,
  passed: false,
  details: [
    ['expected', 'at least 1 of 14'],
    ['found', found],
    ['', 'query.agent: expected "a", found "b"'],
  ],
})
const pass: Finding = {
  kind: 'thread',
  title: 'It *opens* <the> thread.',
  passed: true,
  details: [],
}

/** Has everything that a report can have, and characters that some format treats specially. */
const report: Report = {
  document: { format: 'agent-mailbox-sim/some-report', passed: false },
  name: 'story',
  passed: false,
  headline: 'a|b failed: 1 of 2',
  paragraphs: ['Without any change it `passes`.'],
  findings: [failure('It asks [for] its mail.'), pass, { ...failure('It ran.'), name: 'It runs.' }],
  output: { title: 'Its last lines', text: '````\n<b>\u0007' },
  notes: ['a note'],
  facts: ['1 run in 0.1 s'],
  wallMs: 1_500,
}

const rows = (['passed', 'failed', 'unsure', 'none'] as const).map((mark, index) => {
  const name = index === 1 ? 'a name that is too long for one line of a table, so it has two' : mark
  return { name, cells: [{ text: mark, tone: mark }, { text: 'a rather long reason' }] }
})
const tabular: Report = {
  ...report,
  table: { title: '', subject: 'gap', columns: ['result', ''], rows },
  about: 'One of several plays',
}

it.each(['human', 'json', 'junit', 'markdown', 'github'] as const)('formats a report as %s', (format) => {
  const text = formatReport(format, report).replace(/(timestamp=")[^"]*/, '$1now')
  expect(text).toMatchSnapshot()
})

it.each(['human', 'markdown'] as const)('formats a table as %s', (format) => {
  const told = { ...tabular, paragraphs: [], findings: [], output: undefined, notes: [], facts: [] }
  expect(formatReport(format, told)).toMatchSnapshot()
})

it('has a test case for each result, dated in wall time, and fails one if the report does', () => {
  expect(junitCases(report)).toEqual([
    'It asks [for] its mail. failure',
    'It *opens* &lt;the&gt; thread. passed',
    'It runs. failure',
  ])
  // Of several plays, the table has the results.
  const [, long] = junitCases(tabular)
  expect(junitCases(tabular)).toEqual(['passed passed', long, 'unsure failure'])
  expect(long).toMatch(/ failure$/)
  expect(junitCases({ ...tabular, passed: true })).toHaveLength(3)
  expect(junitCases({ ...tabular, passed: true }).join()).not.toContain('failure')
  expect(junitCases({ ...report, findings: [pass, pass] })).toEqual([
    'The outcome failure',
    'It *opens* &lt;the&gt; thread. passed',
    'It *opens* &lt;the&gt; thread. (2) passed',
  ])
  const [, timestamp] = /timestamp="([^"]*)"/.exec(formatReport('junit', report)) ?? []
  expect(Math.abs(Date.parse(`${timestamp}Z`) - Date.now())).toBeLessThan(60_000)
})

it('styles text for people only if asked', () => {
  const mark = (text: string): string => `<${text}>`
  const style = { strong: mark, faint: mark, good: mark, bad: mark }
  expect(formatReport('human', report, { style })).toMatch(/^<✗> <a\|b failed: 1 of 2>\n/)
})

it('writes JUnit that is valid under the schema, whatever the report contains', async () => {
  const text = anyText({ minLength: 1 }).filter((any) => /\p{L}/u.test(any))
  const documents = fc.sample(fc.tuple(text, text, text), 9).map(([name, found, output], index) => {
    const finding = { ...failure(name, found), passed: index % 3 === 0 }
    return formatReport('junit', {
      ...report,
      name,
      output: { title: '', text: output },
      findings: [finding],
    })
  })
  const written = formatReport('junit', report)
  const wrong = written.replace(/timestamp="\d+/, 'timestamp="Monday')
  // In one run, since each loads the validator.
  const all = { valid: [...documents, written, formatReport('junit', tabular)], wrong: [wrong] }
  const xml = Object.entries(all).flatMap(([kind, texts]) =>
    texts.map((contents, index) => ({ fileName: `${kind}-${index}.xml`, contents })),
  )
  const { errors } = await validateXML({ xml, schema: [schema] })
  expect(errors.map(({ rawMessage }) => rawMessage).filter((line) => !line.includes('wrong-0'))).toEqual([])
  expect(errors.join()).not.toBe('')
})

it('has no control characters and no line breaks in titles as Markdown', () => {
  const title = 'a title\u001b[31m\u0000\u0007\u009b of\n\n</summary>two lines'
  const finding: Finding = { ...failure(title, title), details: [['found', `${title}\u001b`]] }
  const text = formatReport('markdown', { ...report, headline: title, findings: [finding], notes: [title] })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in it.
  expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/)
  expect(text).toContain('\\u{1b}')
  for (const [, summary = ''] of text.matchAll(/<summary>(.*)$/gm)) expect(summary).toMatch(/<\/summary>$/)
})
