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

/** The rows of a page. */
async function rowsOf(mailbox: Mailbox, list: List, query: string): Promise<(Thread | Message)[]> {
  const { status, body } = await askHandlers(mailbox, 'GET', `${list.path}?${query}`)
  expect(status).toBe(200)
  return body[list.rows]
}

/** The subjects of a page, in its order. */
async function subjects(mailbox: Mailbox, list: List, query: string): Promise<string[]> {
  return (await rowsOf(mailbox, list, query)).map(({ subject }) => subject)
}

const whole = (simulator: Simulator, list: List) => subjects(simulator, list, `limit=${count}`)

describe.each(lists.map((list) => [list.gap, list] as const))('%s=unspecified', (_gap, list) => {
  it('is stable across requests and pages', async () => {
    const simulator = await open(list)
    const order = await whole(simulator, list)
    expect(new Set(order).size).toBe(count)
    for (const limit of [7, 50]) {
      const pages: string[] = []
      for (let offset = 0; offset < count; offset += limit) {
        pages.push(...(await subjects(simulator, list, `limit=${limit}&offset=${offset}`)))
      }
      expect(pages).toEqual(order)
    }
  })

  it('is equal in worlds of the same seed', async () => {
    const simulator = await open(list)
    const order = await whole(simulator, list)
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

  it('lists the rows of one agent in the order of all rows', async () => {
    const simulator = await open(list)
    const evas = await subjects(simulator, list, `agent=eva&limit=${count}`)
    expect(evas).toHaveLength(count / 2)
    expect((await whole(simulator, list)).filter((subject) => evas.includes(subject))).toEqual(evas)
  })

  it('keeps the order of existing rows and inserts new ones', async () => {
    const simulator = await open(list)
    const before = await whole(simulator, list)
    await newMail(simulator)
    const pages = [0, 50, 100].map((offset) => subjects(simulator, list, `limit=50&offset=${offset}`))
    const after = (await Promise.all(pages)).flat()
    expect(after.filter((subject) => before.includes(subject))).toEqual(before)
    const added = after.flatMap((subject, place) => (before.includes(subject) ? [] : [place]))
    expect(added.length).toBeGreaterThanOrEqual(10)
    expect(Math.min(...added)).toBeLessThan(50)
    expect(Math.max(...added)).toBeGreaterThan(50)
  })
})

/** Receives mail in ten existing and ten new threads and reads a thread. */
async function newMail(simulator: Simulator): Promise<void> {
  const threads = await rowsOf(simulator, lists[0], 'agent=eva&limit=10')
  for (const { id } of threads) {
    await simulator.mail.receive({ to: 'eva', thread: id, text: 'And?' })
    await simulator.mail.receive({ to: 'eva', subject: `New ${id}`, text: 'Hello' })
  }
  simulator.threads.markRead(threads[0]?.id ?? '')
}
