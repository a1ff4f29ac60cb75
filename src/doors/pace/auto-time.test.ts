import { getResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { createSimulator } from '../simulator/create-simulator.js'
import type { AgentWait, PacedAgent } from './agent.js'
import { AutoTime, type TimeJump } from './auto-time.js'
import { RequestGate } from './request-gate.js'

const start = Date.parse('2026-01-05T09:00:00Z')

const scenario = {
  scenario: 'paced',
  start: '2026-01-05T09:00:00Z',
  identities: [{ handle: 'support', mailbox_address: 'support@agents.example' }],
  timeline: [1, 60, 7_200].map((seconds) => ({
    after: `${seconds}s` as const,
    receive: { to: 'support', from: 'Ann <ann@example.com>', subject: `At ${seconds} s`, text: 'Hello.' },
  })),
}

/** An agent that does something whenever it rests, in its own time. */
abstract class Actor implements PacedAgent {
  readonly owed = 0
  readonly log: number[] = []
  gone = false
  waits: AgentWait[] = []
  now = 0

  takeOwed(): number {
    return 0
  }

  async rests(): Promise<readonly AgentWait[]> {
    await this.act()
    return this.waits
  }

  async moved(now: number): Promise<void> {
    this.now = now - start
    if (this.waits.some(({ due = Infinity }) => due <= now)) this.waits = []
  }

  abstract act(): Promise<void>
}

type List = (path?: string, body?: object) => Promise<unknown>

async function tell(create: (list: List) => Actor, until = 7_230, more: object = {}) {
  const simulator = await createSimulator({
    scenario: { ...scenario, ...more },
    ...{ baseUrl: 'http://mailbox.test', clock: 'frozen' as const },
  })
  const gate = new RequestGate(simulator.paced)
  simulator.clock.setMode('auto')
  const headers = { authorization: `Bearer ${simulator.apiKey}`, 'content-type': 'application/json' }
  const list = async (path = 'threads', body?: object): Promise<unknown> => {
    const content = body && { method: 'POST', body: JSON.stringify(body) }
    const request = new Request(`http://mailbox.test/api/v1/mail/${path}`, { headers, ...content })
    return (await getResponse(simulator.handlers, request))?.json()
  }
  const agent = create(list)
  const jumps: (readonly [TimeJump['why'], number, number])[] = []
  const time = new AutoTime({
    ...{ world: simulator.paced, agent, gate },
    onJump: ({ from, to, why }) => jumps.push([why, from - start, to - start]),
    end: () => start + 1_000 * until,
    overtime: () => 3_600_000,
  })
  await time.run(new AbortController().signal)
  agent.gone = true
  gate.close()
  simulator.close()
  return {
    agent,
    time,
    jumps,
    requests: simulator.journal.exchanges().map(({ at }) => Date.parse(at) - start),
  }
}

/** Two processes, of which one is woken at a time: the first polls every 5 s, the second does something 20 s after a minute. */
class Workers extends Actor {
  readonly #list: List
  #polls = 5_000
  #works = 80_000
  #isDue = true

  constructor(list: List) {
    super()
    this.#list = list
  }

  async act(): Promise<void> {
    if (this.#isDue) await this.#list()
    this.#isDue = false
    this.waits = [
      { due: start + this.#polls, duration: 5_000 },
      { due: start + this.#works, duration: 20_000 },
    ]
  }

  override async moved(now: number): Promise<void> {
    this.now = now - start
    if (this.#polls <= this.now) {
      this.#polls = this.now + 5_000
      this.#isDue = true
    } else if (this.#works <= this.now) {
      this.log.push(this.now)
      this.#works = Infinity
    }
  }
}

/** An agent that polls every five seconds and answers each thread in which nothing came for some time. */
class Debouncer extends Actor {
  readonly #list: List
  readonly #quiet: number
  readonly #seen = new Map<string, number>()

  constructor(list: List, quiet: number) {
    super()
    this.#list = list
    this.#quiet = quiet
  }

  async act(): Promise<void> {
    if (this.waits.length > 0) return
    const { threads } = (await this.#list()) as { threads: { id: string }[] }
    for (const { id } of threads) {
      const seenAt = this.#seen.get(id) ?? this.now
      this.#seen.set(id, seenAt)
      if (this.now < seenAt + this.#quiet) continue
      this.#seen.set(id, Infinity)
      this.log.push(this.now)
      await this.#list('messages', {
        agent: 'support',
        thread_id: id,
        to: ['ann@example.com'],
        text: 'Hello.',
      })
    }
    this.waits = [{ due: start + this.now + 5_000, duration: 5_000, looksAtTime: true }]
  }
}

/** An agent that sleeps for a second again and again, and asks once it has slept so often. */
class Sleeper extends Actor {
  readonly #list: List
  readonly #slices: number
  slept = 0

  constructor(list: List, slices: number) {
    super()
    this.#list = list
    this.#slices = slices
  }

  async act(): Promise<void> {
    if (this.waits.length > 0) return
    if (this.slept++ === this.#slices) {
      await this.#list()
      this.log.push(this.now)
    }
    this.waits = [{ due: start + this.now + 1_000, duration: 1_000 }]
  }
}

describe('auto time', () => {
  it('lets an agent sleep in slices before it goes on, but not wake for ever without doing anything', async () => {
    const slicing = await tell((list) => new Sleeper(list, 45))
    expect(slicing.agent.log).toEqual([45_000])
    const beating = await tell((list) => new Sleeper(list, Infinity))
    expect((beating.agent as Sleeper).slept).toBeLessThan(500)
  })

  it('wakes one of two processes although another one that is due at the same time polls in vain', async () => {
    const { agent } = await tell((list) => new Workers(list))
    expect(agent.log).toEqual([80_000])
  })

  it('lets an agent that only reacts rest until each entry', async () => {
    const seen: number[] = []
    const { requests } = await tell((list) => {
      return new (class extends Actor {
        async act(): Promise<void> {
          if (seen.at(-1) === this.now) return
          seen.push(this.now)
          await list()
        }
      })()
    })
    expect(requests).toEqual([0, 1_000, 60_000, 7_200_000])
  })

  it('wakes an agent that polls until it has asked twice for all it has seen', async () => {
    const { requests, time, jumps } = await tell((list) => {
      return new (class extends Actor {
        async act(): Promise<void> {
          if (this.waits.length > 0) return
          await list()
          this.waits = [{ due: start + this.now + 30_000, duration: 30_000 }]
        }
      })()
    })
    const [first, second, third] = [1_000, 60_000, 7_200_000]
    expect(requests.filter((at) => at < first)).toEqual([0])
    // It polls every half a minute; after two rounds that bring nothing, it sleeps until something happens.
    expect(requests).toEqual([0, 30_000, 60_000, 90_000, 120_000, third, third + 30_000, third + 60_000])
    expect([second, time.skipped]).toEqual([60_000, third + 60_000])
    expect(jumps).toEqual([
      ['entry', 0, first],
      ['wait', first, 30_000],
      ['entry', 30_000, second],
      ['wait', second, 90_000],
      ['wait', 90_000, 120_000],
      ['entry', 120_000, third],
      ['wait', third, third + 30_000],
      ['wait', third + 30_000, third + 60_000],
    ])
  })

  it('wakes an agent that polls when a message is listed after its event', async () => {
    const seen: [string, number][] = []
    const webhooks = [{ url: 'https://hook.example/', events: ['message.received'] }]
    const assume = { 'events.listed': 'after-the-event' }
    const create = (list: () => Promise<unknown>) => {
      return new (class extends Actor {
        async act(): Promise<void> {
          if (this.waits.length > 0) return
          const { total } = (await list()) as { total: number }
          if (seen.at(-1)?.[0] !== `${total}`) seen.push([`${total}`, this.now])
          this.waits = [{ due: start + this.now + 150, duration: 150 }]
        }
      })()
    }
    await tell(create, 90, { webhooks, assume })
    expect(seen).toEqual([
      ['0', 0],
      ['1', 3_000],
      ['2', 62_000],
    ])
  })

  it('lets an agent that polls see that nothing has come for some time', async () => {
    const quiet = 20_000
    const answered: number[] = []
    const { requests } = await tell((list) => {
      return new (class extends Actor {
        #last = { seen: '', at: 0 }
        async act(): Promise<void> {
          if (this.waits.length > 0) return
          const seen = JSON.stringify(await list())
          if (seen !== this.#last.seen) this.#last = { seen, at: this.now }
          else if (this.now >= this.#last.at + quiet) {
            answered.push(this.now)
            this.#last.at = Infinity
          }
          this.waits = [{ due: start + this.now + 200, duration: 200, looksAtTime: true }]
        }
      })()
    })
    expect(answered.map((at) => Math.floor(at / (1.5 * quiet)))).toEqual([0, 2, 240])
    expect(requests.length).toBeLessThan(100)
  })

  it.each([
    ['wakes it after the end', 75_000, [75_000, 135_000]],
    ['lets it rest after the end once all mail is answered', 0, [0, 60_000]],
  ])('%s if an agent answers each thread in which nothing came for %d ms', async (_, quiet, earliest) => {
    const create = (list: List) => new Debouncer(list, quiet)
    const { agent, requests } = await tell(create, 90, {
      ...{ extend: ['common'], timeline: scenario.timeline.slice(0, 2) },
    })
    expect(agent.log.map((at, index) => at >= (earliest[index] as number))).toEqual([true, true])
    // A model may be asked each time.
    expect(requests.filter((at) => at > 90_000).length).toBeLessThan(quiet === 0 ? 1 : 10)
  })

  it('makes an agent that asks without pause wait once its requests bring nothing new', async () => {
    const { requests } = await tell((list) => {
      return new (class extends Actor {
        #polling: Promise<void> | undefined
        async act(): Promise<void> {
          this.#polling ??= this.#poll()
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        async #poll(): Promise<void> {
          while (!this.gone) {
            await list()
            await new Promise((resolve) => setImmediate(resolve))
          }
        }
      })()
    }, 70)
    expect(new Set(requests)).toEqual(new Set([0, 1_000, 60_000]))
    expect(requests.length).toBeLessThan(20)
  })

  it.each([
    ['lets an agent finish a backlog after the end, however long it thinks', 'messages?thread_id=', true],
    ['ends while an agent asks in other words for what it has seen', 'threads?offset=1000&agent=', false],
  ])('%s', async (_, work, isFinished) => {
    const thought = 40_000
    const generate = { threads: 150, messages: 1 }
    const identities = [{ ...scenario.identities[0], generate }]
    let seen = 0
    const create = (list: List) => {
      return new (class extends Actor {
        #todo: string[] = []
        async act(): Promise<void> {
          if (this.waits.length > 0) return
          const next = this.#todo.pop()
          if (next !== undefined) await list(next)
          else {
            const { threads } = (await list('threads?limit=100')) as { threads: { id: string }[] }
            if (this.now > 90_000) seen++
            this.#todo = threads.map(({ id }, index) => {
              return `${work}${isFinished ? id : `support&at=${index}`}`
            })
          }
          this.waits = [{ due: start + this.now + thought, duration: thought }]
        }
      })()
    }
    const timeline = scenario.timeline.slice(0, 2)
    await tell(create, 90, { identities, timeline })
    expect(seen > 0).toBe(isFinished)
  })

  it('moves on while nobody does anything, as soon as patience allows', async () => {
    const simulator = await createSimulator({ scenario, clock: 'auto', patience: 0 })
    await vi.waitFor(() => expect(simulator.timeline.left).toBe(0))
    expect(simulator.clock.now()).toBe('2026-01-05T11:00:00.000Z')
    simulator.close()
  })
})
