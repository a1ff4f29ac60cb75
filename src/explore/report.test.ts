import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { type ModelClient, only } from '../../test/support/explore/model-client.fixture.js'
import { reportOn } from '../../test/support/explore/report.fixture.js'
import type { GapId } from '../contract/gaps.js'
import { formatReport } from '../reports/index.js'
import { type ExploreReport, exploreReport, type ReportedTest } from './report.js'

const schema = await readFile(new URL('../../test/replay/junit.xsd', import.meta.url), 'utf8')

const pageSize = only('threads.total', 'page-size')
const naive: ModelClient = { reliesOn: () => ['threads.order', 'threads.total'], brokenBy: [pageSize] }
const careful: ModelClient = { ...naive, brokenBy: [] }
const broken: ModelClient = { ...naive, brokenBy: [{}] }
const flaky: ModelClient = { ...careful, whim: (_, run) => run === 2 }

const human = (report: ExploreReport, columns = Number.POSITIVE_INFINITY) => {
  return formatReport('human', exploreReport(report), { columns })
}

describe('a human report', () => {
  it('shows what breaks, with advice and the smallest change last', async () => {
    expect(human(await reportOn(naive))).toBe(`✗ npm test breaks under 1 of 6 other readings

Without any change it passes, in 0.0 s. It relied on 2 gaps.

gap            reading           result
threads.order  last-message-asc  passed
threads.order  created-desc      passed
threads.order  created-asc       passed
threads.order  unspecified       passed
threads.total  page-size         FAILED  broken
threads.total  all-threads       passed

✗ threads.total: page-size
    means   page-size: \`total\` counts the threads in this answer only.
    advice  Page until an answer has fewer threads than its limit, and stop there; use \`total\` for display only.
    see it  npx explore threads.total=page-size

The smallest change that breaks it: threads.total=page-size.

9 runs against support-desk, seed 7, in 1.2 s
`)
  })

  it('groups the readings of a gap', async () => {
    const brokenBy = [only('threads.order', 'created-asc'), only('threads.order', 'created-desc')]
    const text = human(await reportOn({ ...naive, brokenBy }))
    expect(text).toContain('✗ threads.order: created-desc, created-asc\n    means   created-desc: ')
    expect(text.match(/advice/g)).toHaveLength(1)
  })

  it('shows that nothing breaks a careful client', async () => {
    const text = human(await reportOn(careful))
    expect(text).toMatch(/^✓ npm test breaks under none of 6 other readings$/m)
    expect(text).not.toMatch(/smallest|FAILED/)
  })

  it('counts readings that matter only under another one', async () => {
    const reliesOn: ModelClient['reliesOn'] = (changes) => {
      return 'threads.total' in changes ? ['threads.total', 'threads.snippet'] : ['threads.total']
    }
    expect(human(await reportOn({ reliesOn, brokenBy: [] }))).toContain('under none of 3 other readings\n')
  })

  it('shows only that a client fails without any change', async () => {
    expect(human(await reportOn(broken))).toMatch(
      /^✗ npm test already fails without any change\n\nWithout any change it already fails/,
    )
  })

  it('has the advice and meaning of gaps that extensions define', async () => {
    const gap = 'common.send-status' as GapId
    const [changes, readings] = [{ [gap]: 'ok' }, [{ name: 'ok', means: 'Answers 200.', example: '' }]]
    const own_gaps = { [gap]: { advice: 'Treat 2xx as success.', readings } } as never
    const fails = { ...(await reportOn(broken)), own_gaps }
    const [tried] = (await reportOn(naive)).tries
    const failing = { ...fails, tries: [{ ...tried, changes } as ReportedTest], passes_under: [changes] }
    expect(human(failing)).toMatch(/as if written for such a service. Treat 2xx as success.$/m)
    const breaks = [{ changes, why: 'broken', advice: {}, again: '' }]
    expect(human({ ...(await reportOn(naive)), own_gaps, breaks })).toContain('means   ok: Answers 200.')
    const tries = failing.tries.map((one) => ({ ...one, outcome: 'failed' as const }))
    expect(formatReport('junit', exploreReport({ ...failing, tries }))).toContain(
      'Advice: Treat 2xx as success.',
    )
  })

  it('shows that a client is flaky', async () => {
    expect(human(await reportOn(flaky))).toMatch(/^It is flaky without any change: .* it failed \(whim\)/m)
    const whim: ModelClient = { ...careful, whim: (changes, run) => 'threads.total' in changes && run === 1 }
    expect(human(await reportOn(whim))).toMatch(/^It may be flaky: 2 failures did not occur again/m)
  })

  it('truncates rows to the width of the terminal', async () => {
    const text = human(await reportOn(naive), 40)
    expect(text).toContain('threads.total  page-size         FAILED…\n')
    expect(text).toContain('threads.total  all-threads       passed\n')
  })
})

describe('a Markdown report', () => {
  it('has the same rows and folded advice', async () => {
    const text = formatReport('markdown', exploreReport(await reportOn(naive)))
    expect(text).toMatch(/^### ❌ npm test breaks under 1 of 6 other readings$/m)
    expect(text).toContain('| ❌ | threads.total=page-size | FAILED | broken |\n')
    expect(text).toContain('| ✅ | threads.total=all-threads | passed |  |\n')
    expect(text).toMatch(/<details><summary>threads\.total: page-size<\/summary>[\s\S]*advice {2}Page until/)
  })
})

describe('a JUnit report', () => {
  it('matches the schema', async () => {
    const reports = await Promise.all([naive, careful, broken, flaky].map((client) => reportOn(client)))
    const xml = reports.map((report, index) => {
      return { fileName: `${index}.xml`, contents: formatReport('junit', exploreReport(report)) }
    })
    expect((await validateXML({ xml, schema: [schema] })).errors).toEqual([])
  })

  it('has a test case for every change and a failure with advice for a break', async () => {
    const text = formatReport('junit', exploreReport(await reportOn(naive)))
    const orders = ['last-message-asc', 'created-desc', 'created-asc', 'unspecified']
    const totals = ['page-size', 'all-threads']
    expect([...text.matchAll(/<testcase name="(.*?)"/g)].map(([, name]) => name)).toEqual([
      'no change',
      ...orders.map((order) => `threads.order=${order}`),
      ...totals.map((total) => `threads.total=${total}`),
    ])
    expect(text.match(/<failure /g)).toHaveLength(1)
    expect(text).toMatch(/<failure type="reading" message="broken">threads\.total=page-size means: /)
    expect(text).toContain('Advice: Page until')
  })
})
