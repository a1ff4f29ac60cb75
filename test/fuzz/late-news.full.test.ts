import { describe, expect, it } from 'vitest'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { Desk, type SeenMessage } from './desk.js'
import { searchClient } from './search-agent.js'

const people = { boots: 'Size 40 please.', coat: 'Is the coat blue?' }

const shop = {
  ...{ scenario: 'shop', extend: 'common' },
  identities: [
    {
      handle: 'support',
      threads: Object.entries(people).map(([subject, text], index) => {
        return { subject, messages: [{ from: `p${index}@mail.example`, at: `-${20 + index}m`, text }] }
      }),
    },
  ],
} as ScenarioInput

type Open = readonly [thread: string, newest: SeenMessage]

/** Answers whoever wrote last in a thread, twice over the mailbox. */
async function answers(desk: Desk, work: (open: readonly Open[], answer: Answer) => Promise<unknown>) {
  const done = new Set<string>()
  for (let round = 0; round < 2; round++) {
    const open: Open[] = []
    for (const id of (await desk.all()).keys()) {
      const newest = await desk.newest(id)
      if (newest?.direction === 'inbound' && !done.has(newest.id)) open.push([id, newest])
    }
    await work(open, async ([thread, { id, text }], isCareful) => {
      if (isCareful && (await desk.newest(thread))?.id !== id) return
      done.add(id)
      await desk.reply(id, `You wrote: ${text}`, id)
    })
  }
}

type Answer = (open: Open, isCareful: boolean) => Promise<void>

const agents: Readonly<Record<string, (mailbox: Simulator, isCareful: boolean) => Promise<unknown>>> = {
  'reads all threads before it answers them': (mailbox, isCareful) =>
    answers(new Desk(mailbox), async (open, answer) => {
      for (const one of open) await answer(one, isCareful)
    }),
  'looks something up elsewhere before each answer': (mailbox, isCareful) => {
    const desk = new Desk(mailbox)
    return answers(desk, async (open, answer) => {
      for (const one of open) {
        await desk.page(0, 1)
        await answer(one, isCareful)
      }
    })
  },
  'answers by an old copy when the list shows something new': async (mailbox, isCareful) => {
    const desk = new Desk(mailbox)
    const copies = new Map<string, readonly [string, SeenMessage | undefined]>()
    for (let round = 0; round < 4; round++) {
      for (const { id, last_message_at } of (await desk.all()).values()) {
        const [seen, copy] = copies.get(id) ?? []
        if (seen === last_message_at) continue
        const newest = isCareful || !copy ? await desk.newest(id) : copy
        if (newest?.direction === 'inbound') await desk.reply(newest.id, `News of ${last_message_at}`)
        const after = await desk.newest(id)
        copies.set(id, [after?.created_at ?? '', newest])
      }
    }
  },
}

describe('mail between a look and an answer', () => {
  it.each(Object.entries(agents))('breaks an agent that %s', async (_, act) => {
    const broken = await searchClient(shop, (mailbox) => act(mailbox, false), 16, 1, ['mail', 'faults'])
    expect(broken.findings.map(({ failure }) => failure.judgedBy)).toContain('reads-before-it-answers')
    const careful = await searchClient(shop, (mailbox) => act(mailbox, true), 16, 1, ['mail', 'faults'])
    expect(careful.findings.map(({ failure }) => failure.why)).toEqual([])
  })
})
