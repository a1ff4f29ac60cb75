import { describe, expect, it } from 'vitest'
import type { Vary } from '../../src/runs/fuzz/kinds/vary.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { Desk } from './desk.js'
import type { ClientFunction } from './function-client.js'
import { searchClient } from './search-agent.js'

type Expect = NonNullable<ScenarioInput['expect']>

/** A desk of three pages, with a thread that customers wait in, and mail that comes later. */
const desk = (expected: Expect): ScenarioInput => ({
  scenario: 'desk',
  seed: 7,
  identities: [
    {
      handle: 'support',
      threads: [
        {
          key: 'refund',
          subject: 'Refund',
          messages: [
            { from: 'Ann <ann@example.com>', at: '-3h', text: 'Where is it?' },
            { direction: 'outbound', at: '-2h', text: 'On its way.' },
          ],
        },
      ],
      generate: { threads: 23, messages: 1, over: '10d', kinds: ['support'] },
    },
  ],
  timeline: [
    { after: '10s', receive: { to: 'support', from: 'Bo <bo@example.com>', subject: 'One', text: 'One.' } },
    { after: '20s', receive: { to: 'support', from: 'Cy <cy@example.com>', subject: 'Two', text: 'Two.' } },
  ],
  expect: expected,
})

const secondPage: Expect = [
  { request: 'threads.list', where: { query: { offset: { at_least: 10 } } }, at_least: 1 },
]
const described = (description: string): Expect => [{ identity: 'support', has: { description } }]

/** Reads all pages, and again once the story is over. */
const allThreads = async (client: Desk) => {
  await client.all()
  await client.wait(60_000)
  return [...(await client.all()).values()]
}

const careful: Record<string, (client: Desk) => Promise<unknown>> = {
  'reads all pages': (client) => client.all(),
  'tells whether there is much to do': async (client) => {
    const threads = await allThreads(client)
    await client.describe(threads.length > 12 ? 'Busy.' : 'Idle.')
  },
  'ends with an error if there is little to do': async (client) => {
    if ((await allThreads(client)).length < 12) throw new Error('too few threads')
  },
  'tells which mail is the latest': async (client) => {
    const threads = await allThreads(client)
    const latest = threads.toSorted(
      (a, b) => Date.parse(b.last_message_at) - Date.parse(a.last_message_at),
    )[0]
    await client.describe(`Latest: ${latest?.subject}`)
  },
  'tells how many threads there are': async (client) => {
    for (const wait of [9_500, 11_500, 60_000]) {
      await client.describe(`Threads: ${(await client.all()).size}`)
      await client.wait(wait)
    }
    await client.describe(`Threads: ${(await client.all()).size}`)
  },
  'tells whether a customer waits': async (client) => {
    const refund = (await allThreads(client)).find(({ subject }) => subject === 'Refund')
    const messages = refund ? await client.messages(refund.id) : []
    const newest = messages.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))[0]
    await client.describe(newest?.direction === 'inbound' ? 'Waiting.' : 'Nobody waits.')
  },
}

const clientOf = (name: keyof typeof careful): ClientFunction => {
  return async (mailbox) => {
    await careful[name]?.(new Desk(mailbox))
  }
}

describe('a search', () => {
  it.each<[name: string, expected: Expect, vary: Vary[]]>([
    ['reads all pages', secondPage, ['sizes']],
    ['tells whether there is much to do', described('Busy.'), ['sizes']],
    ['ends with an error if there is little to do', secondPage, ['sizes', 'assumptions']],
    ['tells which mail is the latest', described('Latest: Two'), ['timing', 'mail']],
    ['tells how many threads there are', described('Threads: 26'), ['faults']],
    ['tells whether a customer waits', described('Nobody waits.'), ['mail', 'faults']],
  ])('does not blame a client that %s for what the changed story rules out', async (name, expected, vary) => {
    const { findings, flaky, met, unreached } = await searchClient(
      desk(expected),
      clientOf(name),
      20,
      1,
      vary,
    )
    expect({ findings, flaky }).toEqual({ findings: [], flaky: [] })
    expect(met.size).toBeGreaterThan(4)
    const isOutcome = expected.every((one) => 'identity' in one)
    expect(unreached.length > 0).toBe(!isOutcome)
  })

  it('still blames a client for what it does not do in a mailbox that allows it', async () => {
    const first: ClientFunction = async (mailbox) => {
      const client = new Desk(mailbox)
      const { threads, total } = await client.page(0)
      for (let offset = 10; offset < total - 1; offset += 10)
        threads.push(...(await client.page(offset)).threads)
      await client.read(threads.map(({ id }) => id))
    }
    const oldest = desk([
      { request: 'messages.list', where: { query: { thread_id: { thread: 'parcel' } } }, at_least: 1 },
    ])
    oldest.identities?.[0]?.threads?.push({
      key: 'parcel',
      messages: [{ from: 'Bo <bo@example.com>', at: '-90d' }],
    })
    const { findings } = await searchClient(oldest, first, 8, 1, ['sizes'])
    expect(findings.map(({ elements }) => elements)).toMatchObject([[{ vary: 'sizes', threads: 11 }]])
  })
})
