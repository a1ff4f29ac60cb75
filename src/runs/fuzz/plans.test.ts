import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import common from '../../../extensions/common.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { loadScenario } from '../../story/load.js'
import { writtenWith } from '../../story/overlays/written.js'
import { FuzzedScenario } from './fuzzed-scenario.js'
import { losesDeed } from './kinds/faults.js'
import { anyPool } from './kinds/kinds.js'
import { sizeKind } from './kinds/sizes.js'
import { timingKind } from './kinds/timing.js'
import { elementsArbitrary, planShape } from './plans.js'

type Pool = Parameters<typeof planShape>[2]

const list = 'threads.list' as const
const soft = { fault: { operation: list, status: 503, times: 1 } }
const hard = { fault: { operation: list, status: 500, times: 1 } }
const pool = { faults: [soft, hard] } as unknown as Pool

describe('planShape', () => {
  it('begins with small plans and has only tolerable faults in large ones', () => {
    const shapes = [0, 14, 15, 34, 35, 49, 50, 69, 70, 99].map((run) => planShape(run, 100, pool, []))
    expect(shapes.map(({ most }) => most)).toEqual([1, 1, 2, 2, 4, 4, 10, 10, 24, 24])
    expect(shapes.map(({ fewFaults }) => fewFaults)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1].map(Boolean))
    expect(shapes[5]?.pool.faults).toEqual([soft, hard])
    expect(shapes[6]?.pool.faults).toEqual([soft])
  })
})

describe('elementsArbitrary', () => {
  it.each([
    ['an operation of an extension', 'messages.send', 1 / 3],
    ['a documented operation, which can be repeated', 'identities.update', 1 / 20],
  ])('draws lost responses to %s', (_, operation, share) => {
    const others = Array.from({ length: 9 }, (_, after) => ({ operation: list, status: 503, after }))
    const lost = { operation, status: 503, performed: true }
    const faults = [...others, lost].map((fault, nth) => ({
      vary: 'faults',
      when: { request: fault.operation, nth },
      fault,
    }))
    const pool = { faults, timing: [{ vary: 'timing' }] } as unknown as Pool
    const shape = { pool, kinds: ['faults', 'timing'], most: 1, fewFaults: false } as const
    const plans = fc.sample(elementsArbitrary(shape), { numRuns: 1000, seed: 1 })
    const drawn = plans.flat().filter((one) => one.vary === 'faults' && one.fault.performed)
    expect(drawn.length / 1000).toBeGreaterThan(0.8 * share)
    expect(drawn.length / 1000).toBeLessThan(1.4 * share)
  })
})

it('loses responses to whatever an unknown client of an extension may send', async () => {
  const desk = { scenario: 'desk', identities: [{ handle: 'support' }] }
  const { faults } = anyPool(await FuzzedScenario.load(desk, { extend: [common] }))
  const operations = new Set(faults.filter(losesDeed).map(({ fault }) => fault.operation))
  expect([...operations].filter((name) => name?.startsWith('messages.'))).toEqual([
    ...['messages.send', 'messages.reply', 'messages.reply-all', 'messages.forward'],
  ])
})

describe('an element of sizes', () => {
  const written = [{ messages: [] }, { key: 'kept', messages: [] }, { messages: [] }]
  const resized = (generate: object | undefined, added: number) => {
    const identity = { handle: 'support', threads: written, ...(generate && { generate }) }
    const element = { vary: 'sizes', identity: 'support', threads: 0, added } as const
    const document = { scenario: 'sizes', identities: [identity] } as never
    return writtenWith(document, sizeKind.overlay?.([element]) ?? {}).identities?.[0]
  }

  it('changes the number of generated threads, then removes written ones without a key', () => {
    expect(resized({ threads: 5, messages: 2 }, 3)).toMatchObject({ generate: { threads: 8, messages: 2 } })
    expect(resized({ threads: 5 }, -4)).toMatchObject({ generate: { threads: 1 }, threads: written })
    expect(resized(undefined, 2)).toMatchObject({ generate: { threads: 2, messages: 1 } })
    expect(resized({ threads: 5 }, -6)).toEqual({ handle: 'support', threads: written.slice(0, 2) })
    expect(resized({ threads: 5 }, -9)).toEqual({ handle: 'support', threads: [written[1]] })
  })
})

it('moves no entry so that its thread or its message would come after what others do with it', async () => {
  const timeline: ScenarioInput['timeline'] = [
    {
      after: '10s',
      receive: { to: 'support', thread: 'refund', subject: 'Refund', text: 'Please refund order 5.' },
    },
    { after: '20s', receive: { to: 'support', subject: 'Hours', text: 'Open?' } },
    { after: '30s', receive: { thread: 'refund', text: 'For your files.' } },
    { after: '40s', receive: { to: 'support', subject: 'Size', text: 'How large?' } },
  ]
  const desk = { scenario: 'desk', identities: [{ handle: 'support' }], timeline }
  const elements = anyPool(await FuzzedScenario.load(desk)).timing
  const moved = new Set(elements.flatMap((one) => [one.entry, ...(one.how ? [one.other.entry] : [])]))
  expect([...moved].sort()).toEqual([1, 2, 3])
  for (const element of elements) {
    const written = writtenWith(desk, timingKind.overlay?.([element]) ?? {})
    await expect(loadScenario(written)).resolves.toBeDefined()
  }
})
