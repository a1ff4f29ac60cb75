import { expect, it } from 'vitest'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { FuzzedScenario } from '../../src/runs/fuzz/fuzzed-scenario.js'
import { anyPool } from '../../src/runs/fuzz/kinds/kinds.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { Desk, type SeenMessage } from './desk.js'
import { searchClient } from './search-agent.js'

const shop: ScenarioInput = {
  ...{ scenario: 'shop', extend: 'common' },
  identities: [
    {
      handle: 'support',
      threads: [{ subject: 'Boots', messages: [{ from: 'al@mail.example', at: '-20m', text: 'Size 40?' }] }],
    },
  ],
}
const claiming: ScenarioInput = { ...shop, expect: [{ invariant: 'ignores-automatic-mail' }] }

/** Replies to the newest message of each thread, unless `isAutomatic` says that no person wrote it. */
async function answerAll(mailbox: Simulator, isAutomatic: (message: SeenMessage) => boolean) {
  const desk = new Desk(mailbox)
  for (let round = 0; round < 3; round++) {
    for (const thread of (await desk.all()).keys()) {
      const newest = await desk.newest(thread)
      if (newest?.direction !== 'inbound' || isAutomatic(newest)) continue
      await desk.reply(newest.id, 'Thank you.', newest.id)
    }
    await desk.wait(10_000)
  }
}

const careless = (mailbox: Simulator) => answerAll(mailbox, () => false)

it('brings automatic mail to a client that claims not to answer it', async () => {
  const broken = await searchClient(claiming, careless, 16, 1, ['mail'])
  expect(broken.findings.map(({ failure }) => failure.judgedBy)).toEqual(['ignores-automatic-mail'])
  const careful = (mailbox: Simulator) =>
    answerAll(mailbox, ({ headers }) => /auto-submitted/i.test(JSON.stringify(headers)))
  expect((await searchClient(claiming, careful, 24, 1, ['mail', 'assumptions'])).findings).toEqual([])
})

it('brings none to others, whose plans stay as they are', async () => {
  const formsIn = async (scenario: ScenarioInput) => {
    const { mail } = anyPool(await FuzzedScenario.load(scenario))
    return new Set(mail.map(({ form }) => form))
  }
  const [usual, further] = [await formsIn(shop), await formsIn(claiming)]
  expect([...further].filter((form) => !usual.has(form))).toEqual(['away', 'bounce', 'digest'])
  expect((await searchClient(shop, careless, 16, 1, ['mail'])).findings).toEqual([])
})
