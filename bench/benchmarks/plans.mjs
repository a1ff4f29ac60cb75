import fc from 'fast-check'
import { getResponse } from 'msw'
import { createSimulator } from '../../dist/index.js'
import { plans as plansOf } from '../../dist/runs/fuzz/fast-check.js'
import { figureOf, inTurns, ratioOf } from '../rounds.mjs'
import { table } from '../table.mjs'

const scenario = {
  scenario: 'desk',
  identities: [
    {
      handle: 'support',
      threads: [{ key: 'refund', messages: [{ from: 'Ann <ann@example.com>', text: 'Where is it?' }] }],
      generate: { threads: 20, messages: [1, 3] },
    },
  ],
}

/** Compares a client of ten requests under new plans with the same client undisturbed. */
export async function plans({ quick, progress }) {
  const each = quick ? 20 : 100
  const arbitrary = plansOf({ scenario })
  const simulator = await createSimulator({ scenario })
  let seed = 0
  const measured = await inTurns(
    {
      plans() {
        const sample = fc.sample(arbitrary, { numRuns: each, seed: ++seed })
        return timeOfEach(sample, (plan) => plan.simulate())
      },
      undisturbed: () => timeOfEach(Array.from({ length: each }), () => simulator.fork()),
    },
    { rounds: quick ? 2 : 21, warmUp: 3, progress },
  )
  const ratio = ratioOf(measured.plans, measured.undisturbed)
  const perSecond = measured.plans.map((milliseconds) => 1000 / milliseconds)
  return {
    tables: [
      table(
        ['a client of ten requests', 'under plans', 'undisturbed', 'ratio'],
        [['time', figureOf(measured.plans, 'ms'), figureOf(measured.undisturbed, 'ms'), ratio]],
      ),
    ],
    figures: { plans: ratio, 'plans.rate': figureOf(perSecond, '/s') },
  }
}

/** Returns the mean time of a run in milliseconds. */
async function timeOfEach(items, open) {
  const begun = performance.now()
  for (const item of items) {
    const mailbox = await open(item)
    await client(mailbox)
    mailbox.close()
  }
  return (performance.now() - begun) / items.length
}

async function client({ baseUrl, apiKey, handlers }) {
  const headers = { authorization: `Bearer ${apiKey}` }
  const get = async (path) => {
    try {
      const answer = await getResponse(handlers, new Request(`${baseUrl}/api/v1${path}`, { headers }))
      return answer.ok ? await answer.json() : undefined
    } catch {
      return undefined
    }
  }
  const first = await get('/mail/threads?agent=support&limit=10')
  const second = await get('/mail/threads?agent=support&limit=10&offset=10')
  await get('/identities/support')
  const ids = [...(first?.threads ?? []), ...(second?.threads ?? [])].map(({ id }) => id)
  for (let place = 0; place < 7; place++) await get(`/mail/messages?thread_id=${ids[place] ?? 'thrd_none'}`)
}
