import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ModelClient,
  only,
  runModel,
  surveyOptions,
} from '../../../test/support/explore/model-client.fixture.js'
import { assumptionsOf, defaultAssumptions, type GapId, gapIds } from '../../contract/gaps.js'
import { type Change, type Changes, combineChanges, formatChange, formatChanges } from './changes.js'
import { parseTrace } from './relied.js'
import {
  firstChanges,
  type SurveyOptions,
  type SurveyResult,
  smallestBreaks,
  survey,
  surveyFailing,
} from './survey.js'
import { Variants } from './variants.js'

const some: GapId[] = [
  'threads.order',
  'threads.total',
  'threads.snippet',
  'messages.order',
  'messages.headers',
]

const total = only('threads.total', 'page-size')
const snippet = only('threads.snippet', 'first')

const few = { numRuns: 10 }

type VariantsOptions = NonNullable<ConstructorParameters<typeof Variants>[1]>

/** Surveys a client; returns the results and every run after the first. */
async function surveyed(
  client: ModelClient,
  { jobs, watcher, ...options }: Partial<SurveyOptions> & VariantsOptions = {},
): Promise<SurveyResult & { ran: string[]; breaks: Changes[] }> {
  const { run, ran } = runModel(client)
  const result = await survey(new Variants(run, { jobs, watcher }), await run({}), surveyOptions(options))
  const breaks = smallestBreaks(result.tests).map(({ changes }) => changes)
  return { ...result, ran: ran.slice(1).map(formatChanges), breaks }
}

/** Returns the changes of a gap to its assumptions other than the default. */
function othersOf(gap: GapId): Change[] {
  return assumptionsOf(gap)
    .slice(1)
    .map(({ name }) => ({ gap, assumption: name }))
}

/** A single change of one of some gaps. */
const anyChange = fc.constantFrom(...some.flatMap(othersOf)).map((change) => combineChanges([change]))

const anyJobs = fc.integer({ min: 1, max: 5 })

describe('surveyFailing', () => {
  const client: ModelClient = { reliesOn: () => ['messages.headers', 'threads.total'], brokenBy: [] }

  it('finds the assumptions under which a client passes twice', async () => {
    const { run } = runModel(client)
    const failing = async (changes: Changes) => {
      const result = await run(changes)
      return { ...result, passed: changes['messages.headers'] === 'list' }
    }
    const tested = await surveyFailing(new Variants(failing), await failing({}), surveyOptions({}))
    const passed = tested.tests.filter(({ outcome }) => outcome === 'passed')
    expect(passed.map(({ changes, runs }) => [formatChanges(changes), runs.length])).toEqual([
      ['messages.headers=list', 2],
    ])
    expect(tested.tests.length).toBeGreaterThan(2)
  })

  it('tests nothing if the client passes on the second run', async () => {
    const { run } = runModel(client)
    const first = { ...(await run({})), passed: false }
    expect((await surveyFailing(new Variants(run), first, surveyOptions({}))).tests).toEqual([])
  })
})

describe('survey', () => {
  it('runs a robust client once under each other assumption and once more without a change', async () => {
    const property = fc.asyncProperty(fc.subarray(gapIds), anyJobs, async (gaps, jobs) => {
      const { ran, tests, breaks } = await surveyed({ reliesOn: () => gaps, brokenBy: [] }, { jobs })
      const others = gaps.flatMap(othersOf).map(formatChange)
      expect(ran.toSorted()).toEqual(['', ...others].toSorted())
      expect(tests.map(({ changes }) => formatChanges(changes))).toEqual(others)
      expect(breaks).toEqual([])
    })
    await fc.assert(property, few)
  })

  it('finds every single change that breaks a client, with the same results for any number of jobs', async () => {
    const property = fc.asyncProperty(fc.array(anyChange, { maxLength: 4 }), async (brokenBy) => {
      const client = { reliesOn: () => some, brokenBy }
      const one = await surveyed(client)
      expect(new Set(one.breaks.map(formatChanges))).toEqual(new Set(brokenBy.map(formatChanges)))
      expect((await surveyed(client, { jobs: 7 })).tests).toEqual(one.tests)
    })
    await fc.assert(property, few)
  })
})

describe('a gap that is relied on only under another assumption', () => {
  const client: ModelClient = {
    reliesOn: (changes) =>
      changes['threads.total'] === 'page-size' ? ['threads.total', 'threads.snippet'] : ['threads.total'],
    brokenBy: [{ ...total, ...snippet }],
  }

  it('is tried together with that assumption', async () => {
    const { tests, breaks } = await surveyed(client)
    expect(tests.map(({ kind, changes, outcome }) => [kind, formatChanges(changes), outcome])).toEqual([
      ['assumption', 'threads.total=page-size', 'passed'],
      ['assumption', 'threads.total=all-threads', 'passed'],
      ['further', 'threads.total=page-size,threads.snippet=first', 'failed'],
    ])
    expect(breaks).toEqual(client.brokenBy)
  })

  it('is ignored if its gap is not selected', async () => {
    const { tests } = await surveyed(client, { gaps: ['threads.total'] })
    expect(tests.map(({ kind }) => kind)).toEqual(['assumption', 'assumption'])
  })

  it('is ignored after a change that breaks the client', async () => {
    const { tests } = await surveyed({ ...client, brokenBy: [total] })
    expect(tests.map(({ outcome }) => outcome)).toEqual(['failed', 'passed'])
  })

  it('is tried once per assumption', async () => {
    const chain: ModelClient = {
      reliesOn: (changes) => gapIds.slice(0, Object.keys(changes).length + 1),
      brokenBy: [],
    }
    const { tests } = await surveyed(chain)
    const others = gapIds.flatMap((gap) => assumptionsOf(gap).slice(1))
    expect(tests.length).toBe(others.length)
    expect(tests.map(({ kind }) => kind).filter((kind) => kind === 'assumption')).toHaveLength(1)
  })
})

describe('a failure', () => {
  const gaps: GapId[] = ['threads.total']

  it('is unsure if it does not occur again', async () => {
    const whim = (changes: Changes, run: number) => 'threads.total' in changes && run === 1
    const { tests, breaks, control } = await surveyed({ reliesOn: () => gaps, brokenBy: [], whim })
    expect(control?.passed).toBe(true)
    expect(tests.map(({ outcome }) => outcome)).toEqual(['unsure', 'unsure'])
    expect(breaks).toEqual([])
  })

  it('counts after four occurrences if the client also fails without a change', async () => {
    const whim = (_: Changes, run: number) => run !== 1
    const { tests, ran, control } = await surveyed({ reliesOn: () => gaps, brokenBy: [total], whim })
    expect(control?.passed).toBe(false)
    expect(tests.map(({ outcome, runs }) => [outcome, runs.length])).toEqual([
      ['failed', 4],
      ['passed', 1],
    ])
    expect(ran).toHaveLength(6)
  })

  it('is unsure if the client fails the same way without a change', async () => {
    const whim = (changes: Changes, run: number) => run !== 1 || 'threads.total' in changes
    const { tests } = await surveyed({ reliesOn: () => gaps, brokenBy: [], whim })
    expect(tests.map(({ outcome, runs }) => [outcome, runs.length])).toEqual([
      ['unsure', 4],
      ['unsure', 4],
    ])
  })
})

it('marks changes that the client overrules', async () => {
  const { run } = runModel({ reliesOn: () => ['threads.total'], brokenBy: [] })
  const stubborn: typeof run = async (changes) => ({ ...(await run({})), changes })
  const { tests } = await survey(new Variants(stubborn), await stubborn({}), surveyOptions())
  expect(tests.map(({ outcome }) => outcome)).toEqual(['overruled', 'overruled'])
})

it('says what is planned before every run', async () => {
  const planned: string[] = []
  const watcher = {
    planned: (sets: readonly Changes[]): void => void planned.push(...sets.map(formatChanges)),
  }
  const brokenBy = [{ ...total, ...snippet }]
  const { tests } = await surveyed({ reliesOn: () => some, brokenBy }, { watcher })
  for (const { changes } of tests) expect(planned).toContain(formatChanges(changes))
  expect(planned[0]).toBe('')
})

describe('firstChanges', () => {
  const base = { assumptions: defaultAssumptions, chosen: {} }

  it('returns every other assumption of all or of the listed gaps', () => {
    const line = { gap: 'threads.total', assumption: 'all-matches', instead: ['page-size'] }
    const relied = parseTrace(JSON.stringify(line))
    expect(firstChanges(relied, 'all', base)).toEqual(gapIds.flatMap(othersOf))
    expect(firstChanges(relied, some, base)).toEqual(
      gapIds.filter((gap) => some.includes(gap)).flatMap(othersOf),
    )
  })

  it('omits gaps whose assumption the command chose itself', () => {
    const line = { gap: 'threads.total', assumption: 'page-size', instead: ['all-matches'], from: 'options' }
    const relied = parseTrace(JSON.stringify(line))
    for (const wanted of ['relied', 'all', ['threads.total']] as const) {
      expect(firstChanges(relied, wanted, base).filter(({ gap }) => gap === 'threads.total')).toEqual([])
    }
  })

  it('omits the current assumption of the server', () => {
    const assumptions = { ...defaultAssumptions, 'threads.total': 'page-size' as const }
    const tried = firstChanges(new Map(), ['threads.total'], { assumptions, chosen: {} })
    expect(tried.map(({ assumption }) => assumption)).toEqual(['all-matches', 'all-threads'])
  })

  it('includes the assumption of the server if another simulator had a different one', () => {
    const line = { gap: 'threads.total', assumption: 'page-size', instead: ['all-matches'] }
    const relied = parseTrace(JSON.stringify(line))
    expect(firstChanges(relied, 'relied', base)).toEqual([
      { gap: 'threads.total', assumption: 'all-matches' },
    ])
    const chosen = only('threads.total', 'all-matches')
    expect(firstChanges(relied, 'relied', { ...base, chosen })).toEqual([])
  })
})
