import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { anyText } from '../../../test/support/any-text.js'
import { formatReport } from './format-report.js'
import type { JunitCase } from './junit.js'
import type { Finding, Report } from './report.js'

const schema = await readFile(new URL('../../../test/replay/junit.xsd', import.meta.url), 'utf8')

const failure = (title: string, why = 'found 0 of 14'): Finding => ({
  kind: 'request',
  title,
  passed: false,
  why,
  details: [
    ['expected', 'at least 1 of 14'],
    ['found', '0 of 14'],
    ['', 'query.agent: expected "a", found "b"'],
  ],
})
const pass: Finding = {
  kind: 'thread',
  title: 'It *opens* <the> thread.',
  passed: true,
  why: '',
  details: [],
}

const testCase = (name: string, problem: JunitCase['problem'] = null): JunitCase => {
  return { name, className: 'story.request', seconds: 0.25, problem }
}
const problem = { is: 'failure', type: 'request', message: 'a & b', text: 'one\ntwo' } as const

const suite = {
  name: 'story',
  package: 'agent-mailbox-sim.some',
  seconds: 1.5,
  properties: { seed: '7' },
  cases: [
    testCase('It asks.', problem),
    testCase('It asks.'),
    testCase('It runs.', { ...problem, is: 'error' }),
  ],
  output: 'its\u0007 output',
}

/** Has everything that a report can have, and characters that some format treats specially. */
const report: Report = {
  document: { format: 'agent-mailbox-sim/some-report', passed: false },
  passed: false,
  headline: 'a|b failed: 1 of 2',
  paragraphs: ['Without any change it `passes`.'],
  findings: [failure('It asks [for] its mail.'), pass],
  output: { title: 'Its last lines', text: '````\n<b>' },
  conclusion: 'The smallest change.',
  notes: ['a note'],
  facts: ['1 run in 0.1 s'],
  suites: [suite],
}

const rows = (['passed', 'failed', 'unsure', 'none'] as const).map((mark, index) => {
  const lines =
    index === 1
      ? [
          ['total', 'page'],
          ['+ order', 'asc'],
        ]
      : [['total', 'all']]
  const cells = [{ text: mark, tone: mark }, { text: 'a rather long reason' }]
  return { name: `total ${mark}`, lines, cells }
})
const tabular: Report = {
  ...report,
  table: { title: '', subject: ['gap', 'assumption'], columns: ['result', ''], rows },
}

it.each(['human', 'json', 'junit', 'markdown'] as const)('formats a report as %s', (format) => {
  const text = formatReport(format, report).replace(/(timestamp=")[^"]*/, '$1now')
  expect(text).toMatchSnapshot()
})

it('names each case of a JUnit report differently, and dates it in wall time', () => {
  const trials = ['trial 1', 'trial 2'].map((name, index) => {
    const cases = [testCase('It asks.'), testCase('It asks.'), testCase(`Only in ${index}.`)]
    return { ...suite, name, cases }
  })
  const text = formatReport('junit', { ...report, suites: trials })
  expect([...text.matchAll(/<testcase name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    ...['It asks. (trial 1)', 'It asks. (trial 1) (2)', 'Only in 0.'],
    ...['It asks. (trial 2)', 'It asks. (trial 2) (2)', 'Only in 1.'],
  ])
  const [, timestamp] = /timestamp="([^"]*)"/.exec(text) ?? []
  expect(Math.abs(Date.parse(`${timestamp}Z`) - Date.now())).toBeLessThan(60_000)
})

it.each(['human', 'markdown'] as const)('formats a table as %s', (format) => {
  expect(formatReport(format, tabular, { columns: 40 })).toMatchSnapshot()
})

it('lists many failures before their details for people', () => {
  const failures = Array.from({ length: 12 }, (_, index) =>
    failure(`Failure ${index}.`, index === 1 ? 'w'.repeat(99) : 'why'),
  )
  const command: Finding = { ...failure('The command.', ''), details: [] }
  const text = formatReport('human', { ...report, findings: [command, ...failures] })
  expect(text.split('\n').slice(0, 16)).toMatchSnapshot()
  expect(text.match(/^ {4}expected/gm)).toHaveLength(12)
  expect(text.match(/^✗ The command\./gm)).toHaveLength(1)
})

it('styles text for people only if asked', () => {
  const mark = (text: string): string => `<${text}>`
  const style = { strong: mark, faint: mark, good: mark, bad: mark }
  expect(formatReport('human', report, { style })).toMatch(/^<✗> <a\|b failed: 1 of 2>\n/)
})

it('writes JUnit that is valid under the schema, whatever the report contains', async () => {
  const text = anyText({ minLength: 1 }).filter((any) => /\p{L}/u.test(any))
  const texts = fc.sample(fc.tuple(text, text, text), 9)
  const documents = texts.map(([name, message, output], index) => {
    const found = [null, { ...problem, message, text: message }, { ...problem, is: 'error' as const }][
      index % 3
    ]
    const any = {
      ...suite,
      name,
      output,
      properties: { seed: message },
      cases: [testCase(name, found)],
    }
    return formatReport('junit', { ...report, suites: [any, suite] })
  })
  const written = formatReport('junit', report)
  const wrong = written.replace(/timestamp="\d+/, 'timestamp="Monday')
  // In one run, since each loads the validator.
  const all = { valid: [...documents, written], wrong: [wrong] }
  const xml = Object.entries(all).flatMap(([kind, texts]) =>
    texts.map((contents, index) => ({ fileName: `${kind}-${index}.xml`, contents })),
  )
  const { errors } = await validateXML({ xml, schema: [schema] })
  expect(errors.map(({ rawMessage }) => rawMessage).filter((line) => !line.includes('wrong-0'))).toEqual([])
  expect(errors.join()).not.toBe('')
})
