import { createSimulator, defineScenario, type Message, type Simulator, type Thread } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { assumptionsOf } from '../../src/contract/gaps.js'
import { askHandlers } from '../support/ask-handlers.js'

const count = 100

/** A hundred threads of two agents, created in one order and answered in another. */
const mailbox = defineScenario({
  scenario: 'hundred',
  identities: ['eva', 'tom'].map((handle, agent) => ({
    handle,
    threads: Array.from({ length: count / 2 }, (_, index) => 2 * index + agent).map((number) => ({
      subject: `Mail ${number}`,
      messages: [
        { from: 'Ann <ann@shop.example>', at: `-${300 + ((number * 37) % count)}h`, text: `Mail ${number}` },
      ],
    })),
  })),
})

/** The two lists whose order can be unspecified. */
const lists = [
  { path: '/mail/threads', gap: 'threads.order', rows: 'threads' },
  { path: '/mail/messages', gap: 'messages.order', rows: 'messages' },
] as const
type List = (typeof lists)[number]

const open = ({ gap }: List, seed = 1, order = 'unspecified') =>
  createSimulator({ scenario: mailbox, seed, assume: { [gap]: order, 'messages.offset': 'honoured' } })

type Mailbox = Pick<Simulator, 'handlers' | 'apiKey'>

/** The subjects of all rows, in their order. */
async function whole(mailbox: Mailbox, { path, rows }: List): Promise<string[]> {
  const { status, body } = await askHandlers(mailbox, 'GET', `${path}?limit=${count}`)
  expect(status).toBe(200)
  return body[rows].map(({ subject }: Thread | Message) => subject)
}

describe.each(lists.map((list) => [list.gap, list] as const))('%s=unspecified', (_gap, list) => {
  it('is equal in worlds of the same seed', async () => {
    const simulator = await open(list)
    const order = await whole(simulator, list)
    expect(new Set(order).size).toBe(count)
    simulator.reset()
    expect(await whole(simulator, list)).toEqual(order)
    expect(await whole(simulator.fork(), list)).toEqual(order)
    expect(await whole(await open(list), list)).toEqual(order)
  })

  it('differs for another seed', async () => {
    const seeds = [1, 2, 3]
    const orders = await Promise.all(seeds.map(async (seed) => whole(await open(list, seed), list)))
    expect(new Set(orders.map((order) => order.join())).size).toBe(seeds.length)
  })

  it('matches none of the other orders, forwards or backwards', async () => {
    const order = await whole(await open(list), list)
    for (const { name } of assumptionsOf(list.gap)) {
      if (name === 'unspecified') continue
      const other = await whole(await open(list, 1, name), list)
      expect(other.toSorted()).toEqual(order.toSorted())
      expect(other).not.toEqual(order)
      expect(other.toReversed()).not.toEqual(order)
    }
  })
})
