import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import { violations } from '../../src/doors/simulator/violations.js'
import { faults, mails, plans } from '../../src/runs/fuzz/fast-check.js'
import type { FaultInput } from '../../src/service/faults/fault.js'
import { agentOf } from './agents.js'

const { scenario } = agentOf('ignores-retry-after')

describe('the arbitraries of plans', () => {
  it('find and shrink what breaks a client', async () => {
    const { client } = agentOf('ignores-retry-after')
    const property = fc.asyncProperty(plans({ scenario, vary: ['faults'] }), async (plan) => {
      const mailbox = await plan.simulate()
      await client(mailbox).catch(() => undefined)
      expect(violations(mailbox)).toEqual([])
    })
    const { failed, counterexample } = await fc.check(property, { seed: 3, numRuns: 20 })
    expect(failed).toBe(true)
    expect(await counterexample?.[0].elements()).toHaveLength(1)
    expect(String(counterexample?.[0])).toMatch(/^plan: at request \d of \S+, its response is (429|503) with/)
  })

  it('choose one assumption for each gap and one kind of change for each object', async () => {
    const drawn = fc.sample(plans({ scenario, vary: ['assumptions'], maxElements: 40 }), {
      seed: 3,
      numRuns: 5,
    })
    for (const plan of drawn) {
      const gaps = (await plan.elements()).map((element) => 'gap' in element && element.gap)
      expect(gaps).toEqual([...new Set(gaps)])
    }
  })

  it('find nothing that breaks a careful client', async () => {
    const { client } = agentOf('ignores-retry-after, careful')
    const property = fc.asyncProperty(plans({ scenario, vary: ['mail', 'assumptions'] }), async (plan) => {
      const mailbox = await plan.simulate()
      await client(mailbox)
      expect(violations(mailbox)).toEqual([])
    })
    await fc.assert(property, { seed: 3, numRuns: 5 })
    expect.assertions(5)
  })
})

it.each([
  [
    { vary: ['fault'] },
    'plans: vary: expected one of "assumptions", "faults", "mail", "sizes", "timing", "deliveries", "forms"; did you mean "faults"?',
  ],
  [
    { vary: [] },
    'plans: vary is empty; expected at least one of assumptions, faults, mail, sizes, timing, deliveries, forms.',
  ],
  [{ varry: [] }, 'plans: unknown key "varry"; did you mean "vary"?'],
])('refuse plans(%j) with the valid options', (options, problem) => {
  expect(() => plans(options as never)).toThrow(new TypeError(problem))
})

describe('the arbitraries of mail and faults', () => {
  it('are valid for a simulator', async () => {
    const mailbox = await createSimulator({ scenario })
    await fc.assert(
      fc.asyncProperty(mails(), faults(), async (mail, fault) => {
        const { message } = await mailbox.mail.receive({ to: 'support', ...mail })
        expect(message.direction).toBe('inbound')
        expect(mailbox.faults.add(fault as FaultInput).id).toMatch(/^fault_/)
      }),
      { seed: 1, numRuns: 30 },
    )
  })
})
