import { expect, it } from 'vitest'
import common from '../../../../extensions/common.js'
import { FuzzedScenario } from '../fuzzed-scenario.js'
import { describeElement, overlayOf, type PlanElement, poolOf } from './kinds.js'

/** Returns the elements of the life of a client with these facts, and the story that they change. */
async function elementsOf(more: object = {}, canRestart = true) {
  const scenario = await FuzzedScenario.load(
    {
      scenario: 'desk',
      identities: [{ handle: 'support' }],
      timeline: [
        { after: '0s', receive: { to: 'support', from: 'ann@example.com', text: 'One' } },
        { after: '1m', receive: { to: 'support', from: 'bo@example.com', text: 'Two' } },
      ],
    },
    { extend: [common] },
  )
  const operations = new Map(Object.entries({ 'threads.list': 9, 'messages.reply': 2 }))
  const base = { operations, limits: new Set(), asked: [], agents: new Set(), relied: [], mails: 1, ...more }
  const { document, initialState } = scenario
  const { life } = poolOf({ document, initialState, base, canRestart } as never)
  return { scenario, life }
}

it('kills a client where it does something first, and lets it be down when mail comes', async () => {
  const { scenario, life } = await elementsOf()
  const all: readonly PlanElement[] = life
  expect(all.map(describeElement)).toEqual([
    'once message 1 is sent, before the agent learns of it, the agent is killed and started again',
    ...[1, 2].map((nth) => `at request ${nth} of messages.reply, the agent is killed and started again`),
    ...[1, 2, 3, 4].map((nth) => `at request ${nth} of threads.list, the agent is killed and started again`),
    ...['threads.list', 'messages.reply'].flatMap((name) => {
      return [2, 1].map((nth) => `at request ${nth} of ${name}, the agent is started a second time`)
    }),
    'the agent is down from right before the timeline entry "1m receive" until 180000ms',
  ])
  const { timeline, triggered = [] } = await scenario.stateOf(life, [])
  expect(timeline.map(({ after, agent = 'mail' }) => [after, agent])).toEqual([
    [0, 'mail'],
    [59_000, 'stop'],
    [60_000, 'mail'],
    [180_000, 'start'],
  ])
  expect(triggered.map(({ agent }) => agent)).toEqual([...Array(7).fill('kill'), ...Array(4).fill('second')])
  expect(overlayOf(life).entries).toHaveLength(13)
})

it('starts no second copy of a client that receives events, and lets it get the first retry', async () => {
  const deliveries = [{ status: 'succeeded', event: { type: 'message.received' } }]
  const { life } = await elementsOf({ deliveries })
  const shown = life.map((one) => (one.how === 'down' ? one.start : 'delivery' in one.when ? one.how : ''))
  expect(shown.filter(Boolean)).toEqual(['kill', '63000ms'])
})

it('only kills a client that ends by itself, and a function not at all', async () => {
  const ended = await elementsOf({ ended: true })
  expect(new Set(ended.life.map(({ how }) => how))).toEqual(new Set(['kill']))
  expect((await elementsOf({}, false)).life).toEqual([])
})
