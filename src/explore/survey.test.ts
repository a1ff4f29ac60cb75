import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ModelClient,
  only,
  runModel,
  surveyOptions,
} from '../../test/support/explore/model-client.fixture.js'
import { type GapId, gapIds, readingsOf } from '../contract/gaps.js'
import { type Change, type Changes, changesOf, formatChanges } from './changes.js'
import { type SurveyOptions, type SurveyResult, smallestBreaks, survey, surveyFailing } from './survey.js'
import { Variants, type VariantsOptions } from './variants.js'

const some: GapId[] = [
  'threads.order',
  'threads.total',
  'threads.snippet',
  'messages.order',
  'messages.headers',
]

/** Covering sets are slow to compute. */
const few = { numRuns: 10 }

/** Surveys a client; returns the results and every run after the first. */
async function surveyed(
  client: ModelClient,
  { jobs, onPlanned, ...options }: Partial<SurveyOptions> & VariantsOptions = {},
): Promise<SurveyResult & { ran: string[]; breaks: Changes[] }> {
  const { run, ran } = runModel(client)
  const result = await survey(new Variants(run, { jobs, onPlanned }), await run({}), surveyOptions(options))
  const breaks = smallestBreaks(result.tests).map(({ changes }) => changes)
  return { ...result, ran: ran.slice(1).map(formatChanges), breaks }
}

/** Changes of different gaps. */
function anyChanges(least: number, most: number): fc.Arbitrary<Changes> {
  const gaps = fc.subarray(some, { minLength: least, maxLength: most })
  return gaps.chain((ids) => fc.tuple(...ids.map(anyChangeOf))).map(changesOf)
}

function anyChangeOf(gap: GapId): fc.Arbitrary<Change> {
  const others = readingsOf(gap).slice(1)
  return fc.constantFrom(...others).map(({ name }) => ({ gap, reading: name }))
}

describe('surveyFailing', () => {
  const client: ModelClient = { reliesOn: () => ['messages.headers', 'threads.total'], brokenBy: [] }

  it('finds the readings under which a client passes twice', async () => {
    const { run } = runModel(client)
    const failing = async (changes: Changes) => {
      const result = await run(changes)
      return { ...result, passed: changes['messages.headers'] === 'object' }
    }
    const tested = await surveyFailing(new Variants(failing), await failing({}), surveyOptions({}))
    const passed = tested.tests.filter(({ outcome }) => outcome === 'passed')
    expect(passed.map(({ changes, runs }) => [formatChanges(changes), runs.length])).toEqual([
      ['messages.headers=object', 2],
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
  it('runs a robust client once under each other reading and once more without a change', async () => {
    const property = fc.asyncProperty(
      fc.subarray(gapIds),
      fc.integer({ min: 1, max: 5 }),
      async (gaps, jobs) => {
        const { ran, tests, breaks } = await surveyed({ reliesOn: () => gaps, brokenBy: [] }, { jobs })
        const others = gaps.flatMap((gap) =>
          readingsOf(gap)
            .slice(1)
            .map(({ name }) => `${gap}=${name}`),
        )
        expect(ran.toSorted()).toEqual(['', ...others].toSorted())
        expect(tests.map(({ changes }) => formatChanges(changes))).toEqual(others)
        expect(breaks).toEqual([])
      },
    )
    await fc.assert(property, few)
  })

  it('finds every single change that breaks a client', async () => {
    const property = fc.asyncProperty(fc.array(anyChanges(1, 1), { maxLength: 3 }), async (brokenBy) => {
      const { breaks } = await surveyed({ reliesOn: () => some, brokenBy })
      const wanted = new Set(brokenBy.map(formatChanges))
      expect(new Set(breaks.map(formatChanges))).toEqual(wanted)
    })
    await fc.assert(property, few)
  })

  it('finds two changes that break a client only together', async () => {
    const property = fc.asyncProperty(
      anyChanges(2, 2),
      fc.integer({ min: 1, max: 4 }),
      async (pair, jobs) => {
        const client = { reliesOn: () => some, brokenBy: [pair] }
        expect((await surveyed(client, { pairs: true, jobs })).breaks).toEqual([pair])
        expect((await surveyed(client, { jobs })).breaks).toEqual([])
      },
    )
    await fc.assert(property, few)
  })

  it('reduces a larger set of changes to those that break a client', async () => {
    const property = fc.asyncProperty(anyChanges(3, 4), async (set) => {
      const { breaks } = await surveyed({ reliesOn: () => some, brokenBy: [set] }, { pairs: true })
      // Any two changes are tried together; three may or may not be.
      expect([[], [set]]).toContainEqual(breaks)
    })
    await fc.assert(property, few)
  })

  it('returns the same results for any number of jobs', async () => {
    const property = fc.asyncProperty(fc.array(anyChanges(1, 3), { maxLength: 4 }), async (brokenBy) => {
      const client = { reliesOn: () => some, brokenBy }
      const [one, many] = [
        await surveyed(client, { pairs: true }),
        await surveyed(client, { pairs: true, jobs: 7 }),
      ]
      expect(many.tests).toEqual(one.tests)
    })
    await fc.assert(property, few)
  })
})

describe('a gap that is relied on only under another reading', () => {
  const total = only('threads.total', 'page-size')
  const client: ModelClient = {
    reliesOn: (changes) =>
      changes['threads.total'] === 'page-size' ? ['threads.total', 'threads.snippet'] : ['threads.total'],
    brokenBy: [changesOf([...pick(total), { gap: 'threads.snippet', reading: 'first' }])],
  }

  it('is tried together with that reading', async () => {
    const { tests, breaks } = await surveyed(client)
    expect(tests.map(({ kind, changes, outcome }) => [kind, formatChanges(changes), outcome])).toEqual([
      ['reading', 'threads.total=page-size', 'passed'],
      ['reading', 'threads.total=all-threads', 'passed'],
      ['further', 'threads.total=page-size,threads.snippet=first', 'failed'],
    ])
    expect(breaks).toEqual(client.brokenBy)
  })

  it('is ignored if its gap is not selected', async () => {
    const { tests } = await surveyed(client, { gaps: ['threads.total'] })
    expect(tests.map(({ kind }) => kind)).toEqual(['reading', 'reading'])
  })

  it('is ignored after a change that breaks the client', async () => {
    const { tests } = await surveyed({ ...client, brokenBy: [total] })
    expect(tests.map(({ outcome }) => outcome)).toEqual(['failed', 'passed'])
  })

  it('is tried once per reading', async () => {
    const chain: ModelClient = {
      reliesOn: (changes) => gapIds.slice(0, Object.keys(changes).length + 1),
      brokenBy: [],
    }
    const { tests } = await surveyed(chain)
    const others = gapIds.flatMap((gap) => readingsOf(gap).slice(1))
    expect(tests.length).toBe(others.length)
    expect(tests.map(({ kind }) => kind).filter((kind) => kind === 'reading')).toHaveLength(1)
  })
})

describe('a failure', () => {
  const gaps: GapId[] = ['threads.total']

  it('counts if it occurs again', async () => {
    const { ran } = await surveyed({ reliesOn: () => gaps, brokenBy: [only('threads.total', 'page-size')] })
    expect(ran.filter((changes) => changes === 'threads.total=page-size')).toHaveLength(2)
  })

  it('is unsure if it does not occur again', async () => {
    const whim = (changes: Changes, run: number) => 'threads.total' in changes && run === 1
    const { tests, breaks, control } = await surveyed({ reliesOn: () => gaps, brokenBy: [], whim })
    expect(control?.passed).toBe(true)
    expect(tests.map(({ outcome }) => outcome)).toEqual(['unsure', 'unsure'])
    expect(breaks).toEqual([])
  })

  it('counts after four occurrences if the client also fails without a change', async () => {
    const whim = (_: Changes, run: number) => run !== 1
    const brokenBy = [only('threads.total', 'page-size')]
    const { tests, ran, control } = await surveyed({ reliesOn: () => gaps, brokenBy, whim })
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

it('calls onPlanned before every run', async () => {
  const planned: string[] = []
  const onPlanned = (sets: readonly Changes[]): void => void planned.push(...sets.map(formatChanges))
  const brokenBy = [
    changesOf([...pick(only('threads.total', 'page-size')), { gap: 'threads.snippet', reading: 'first' }]),
  ]
  const { tests } = await surveyed({ reliesOn: () => some, brokenBy }, { pairs: true, onPlanned })
  for (const { changes } of tests) expect(planned).toContain(formatChanges(changes))
  expect(planned[0]).toBe('')
})

function pick(changes: Changes): Change[] {
  return Object.entries(changes).map(([gap, reading]) => ({ gap: gap as GapId, reading }))
}
