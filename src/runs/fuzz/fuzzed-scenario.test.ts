import { expect, it } from 'vitest'
import common from '../../../extensions/common.js'
import { FuzzedScenario } from './fuzzed-scenario.js'
import { anyPool, type PlanElement } from './kinds/kinds.js'

it('gives an element the same entries whether its mail is compiled alone or with that of others', async () => {
  const [together, alone] = [
    await FuzzedScenario.load('refund-request'),
    await FuzzedScenario.load('refund-request'),
  ]
  const { mail } = anyPool(together)
  await together.compile(mail)
  for (const element of mail.filter((_, place) => place % 12 === 0)) {
    const { triggered = [] } = await alone.stateOf([element], [])
    expect(triggered.flatMap(({ commands }) => commands).length).toBeGreaterThan(0)
    expect((await together.stateOf([element], [])).triggered).toEqual(triggered)
  }
})

it('compiles mail at a request of an extension that is not the scenario’s', async () => {
  const scenario = await FuzzedScenario.load('refund-request', { extend: [common] })
  const [element] = anyPool(scenario).mail as [PlanElement]
  const atReply = { ...element, when: { request: 'messages.reply', nth: 1 } } as PlanElement
  const { triggered = [] } = await scenario.stateOf([atReply], [])
  expect(triggered.at(-1)).toMatchObject({ when: { request: 'messages.reply' } })
})
