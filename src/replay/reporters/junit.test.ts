import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { formatJunit } from './junit.js'
import { formatJunitXml, type JunitSuite } from './junit-xml.js'
import { command, failedVerdict, report, verdict } from './report.fixture.js'

const schema = await readFile(new URL('../../../test/replay/junit.xsd', import.meta.url), 'utf8')

/** What the validator has against some XML. */
async function problemsWith(contents: string): Promise<string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: 'report.xml', contents }], schema: [schema] })
  return errors.map(({ message }) => message)
}

describe('a report as JUnit XML', () => {
  it.each([
    ['passed', report()],
    ['failed', report({ verdicts: [failedVerdict(), failedVerdict({ index: 1 })] })],
    ['expects nothing', report({ verdicts: [], command: null })],
    [
      'has a command that failed',
      report({ command: command({ passed: false, problem: 'died', output: 'a\nb' }) }),
    ],
    ['never began', report({ command: command({ ended: 'not-started', passed: false, problem: 'no' }) })],
  ])('fits the schema where the run %s', async (_, run) => {
    expect(await problemsWith(formatJunit(run))).toEqual([])
  })

  it('counts failures, and errors where it could not be found out', () => {
    const failed = formatJunit(report({ verdicts: [verdict(), failedVerdict()] }))
    expect(failed).toContain('tests="4" failures="1" errors="0"')
    const outcome = command({
      ended: 'not-started',
      passed: false,
      problem: 'There is no program x in PATH.',
    })
    const broken = formatJunit(report({ command: outcome }))
    expect(broken).toContain('tests="1" failures="0" errors="1"')
    expect(broken).toContain('<error type="command" message="There is no program x in PATH.">')
  })

  it('names its test cases the same, whether they pass or fail, and no two alike', () => {
    const names = (run: Parameters<typeof formatJunit>[0]): (string | undefined)[] =>
      [...formatJunit(run).matchAll(/<testcase name="(.*?)"/g)].map(([, name]) => name)
    const twice = [verdict(), verdict({ index: 1 })]
    const failed = twice.map((one) => ({ ...one, passed: false }))
    const bad = command({ passed: false, problem: 'died' })
    expect(names(report({ verdicts: failed, command: bad }))).toEqual(names(report({ verdicts: twice })))
    expect(new Set(names(report({ verdicts: twice }))).size).toBe(4)
  })

  it('is checked by a schema that takes nothing else', async () => {
    const broken = formatJunit(report()).replace('timestamp="2026', 'timestamp="Monday 2026')
    expect(await problemsWith(broken)).not.toEqual([])
  })

  it('fits the schema whatever stands in it', async () => {
    const any = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => /\p{L}/u.test(text))
    const texts = fc.record({ name: any, message: any, output: any })
    // Few documents with much in them: each validation starts a validator.
    const suites = fc.array(texts, { minLength: 50, maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(suites, async (all) => {
        expect(await problemsWith(formatJunitXml(all.map(suiteOf)))).toEqual([])
      }),
      { numRuns: 3 },
    )
  })
})

function suiteOf({
  name,
  message,
  output,
}: Readonly<Record<'name' | 'message' | 'output', string>>): JunitSuite {
  const problem = { is: 'failure', type: 'request', message, text: message } as const
  return {
    name,
    package: 'package',
    timestamp: '2026-01-05T09:00:00.000Z',
    seconds: 1,
    properties: { seed: message },
    cases: [{ name, className: 'class', seconds: 0.25, problem }],
    output,
  }
}
