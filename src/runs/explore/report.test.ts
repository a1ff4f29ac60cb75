import { expect, it } from 'vitest'
import { type ModelClient, only } from '../../../test/support/explore/model-client.fixture.js'
import { reportOn } from '../../../test/support/explore/report.fixture.js'
import type { GapId } from '../../contract/gaps.js'
import { formatReport } from '../reports/format-report.js'
import { exploreReport, type ReportedTest } from './report.js'

const pageSize = only('threads.total', 'page-size')
const naive: ModelClient = { reliesOn: () => ['threads.order', 'threads.total'], brokenBy: [pageSize] }
const careful: ModelClient = { ...naive, brokenBy: [] }

const clients: Readonly<Record<string, ModelClient>> = {
  'is naive': naive,
  'is careful': careful,
  'breaks under two assumptions of a gap, which are grouped': {
    ...naive,
    brokenBy: [only('threads.order', 'created-asc'), only('threads.order', 'created-desc')],
  },
  'relies on a gap only under another assumption': {
    reliesOn: (changes) =>
      'threads.total' in changes ? ['threads.total', 'threads.snippet'] : ['threads.total'],
    brokenBy: [],
  },
  'fails without any change': { ...naive, brokenBy: [{}] },
  'fails once without any change': { ...naive, whim: (_, run) => run === 1 },
  'is flaky without any change': { ...careful, whim: (_, run) => run === 2 },
  'may be flaky': { ...careful, whim: (changes, run) => 'threads.total' in changes && run === 1 },
}

it.each(Object.entries(clients))('tells people about a client that %s', async (_, client) => {
  expect(formatReport('human', exploreReport(await reportOn(client)))).toMatchSnapshot()
})

it('has a test case for every change, and the advice in its failure', async () => {
  expect(exploreReport(await reportOn(naive)).suites[0]).toMatchSnapshot()
})

it('has the advice and meaning of gaps that extensions define', async () => {
  const gap = 'common.send-status' as GapId
  const [changes, assumptions] = [{ [gap]: 'ok' }, { ok: 'Responds with 200.' }]
  const own_gaps = { [gap]: { advice: 'Treat 2xx as success.', assumptions } } as never
  const [tried] = (await reportOn(naive)).tries
  const tries = [{ ...tried, changes, outcome: 'failed' } as ReportedTest]
  const failing = {
    ...(await reportOn({ ...naive, brokenBy: [{}] })),
    own_gaps,
    tries,
    passes_under: [changes],
  }
  expect(exploreReport(failing).paragraphs?.[0]).toMatch(
    /as if written for such a service. Treat 2xx as success.$/,
  )
  expect(exploreReport(failing).suites[0]?.cases[1]?.problem?.text).toContain('Advice: Treat 2xx as success.')
  const breaks = [{ changes, why: 'broken', advice: {}, again: '' }]
  const [finding] = exploreReport({ ...(await reportOn(naive)), own_gaps, breaks }).findings
  expect(finding?.details).toContainEqual(['means', 'ok: Responds with 200.'])
})
