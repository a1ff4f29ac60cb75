import { getResponse } from 'msw'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSimulator } from '../simulator/create-simulator.js'
import { type AgentSight, AgentTime, type AgentWait, type PacedAgent } from './agent-time.js'
import { RequestGate } from './request-gate.js'

const start = Date.parse('2026-01-05T09:00:00Z')
const [second, minute, hour] = [1_000, 60_000, 3_600_000]

const timeline = [1, 60, 7_200].map((seconds) => ({
  after: `${seconds}s` as const,
  receive: { to: 'support', from: 'Ann <ann@example.com>', subject: `At ${seconds} s`, text: 'Hello.' },
}))

const scenario = {
  scenario: 'paced',
  start: '2026-01-05T09:00:00Z',
  identities: [{ handle: 'support', mailbox_address: 'support@agents.example' }],
  timeline,
}

type Ask = (path?: string, body?: object) => Promise<unknown>

/** What an agent of a test knows and can do. */
interface Body {
  readonly ask: Ask
  /** Milliseconds since the story began. */
  readonly now: number
  /** Begins a wait after which something is done. */
  wait(duration: number, act: () => unknown): void
  /** Asks somebody else a question, which ends when the function is called that it returns. */
  question(host: string, body: string, took?: number): () => void
}

type Seen = Partial<Pick<AgentSight, 'works' | 'links' | 'unseen'>>

/** An agent in this process whose waits end as those of observed processes do. */
class Actor implements PacedAgent, Body {
  gone = false
  now = 0
  seen: () => Seen = () => ({})
  ask: Ask = async () => undefined
  time: AgentTime | undefined
  gate: RequestGate | undefined
  /** The instants that it was told, in milliseconds since the start. */
  readonly told: number[] = []
  readonly waits = new Map<string, AgentWait & { act(): unknown }>()
  readonly asks = new Map<string, AgentSight['asks'][number]>()
  #count = 0
  #ended = ''
  #requests = 0
  #acting = 0
  #activity = 0

  wait(duration: number, act: () => unknown): void {
    const key = `${++this.#count}`
    this.waits.set(key, { key, after: this.#ended, due: start + this.now + duration, duration, act })
  }

  question(host: string, body: string, took = second): () => void {
    const key = `q${++this.#count}`
    const question = { key, host, what: `GET http://${host}/`, address: `GET ${host}/`, body }
    this.asks.set(key, { ...question, events: false, quiet: null })
    this.gate?.noteQuestion()
    this.#requests++
    return () => {
      this.asks.delete(key)
      this.#activity++
      this.time?.work.answered(question, took)
    }
  }

  /** Does something, which is work until it is done. */
  async act(something: () => unknown): Promise<void> {
    this.#acting++
    await something()
    this.#acting--
    this.#activity++
  }

  async look(): Promise<AgentSight> {
    // What a handler of this process awaits takes some turns.
    await new Promise((resolve) => setTimeout(resolve))
    const own = this.#acting > 0 && this.held() === 0 ? [{ key: 'acts', what: 'acts' }] : []
    return {
      ...{
        works: own,
        asks: [...this.asks.values()],
        links: [],
        unseen: undefined,
        waits: [...this.waits.values()],
      },
      mark: `${this.#activity}`,
      ...this.seen(),
    }
  }

  held: () => number = () => 0

  async goOn(until: number, endOf: (wait: AgentWait) => number) {
    const before = this.#requests
    for (;;) {
      const waits = [...this.waits.values()].map((wait) => ({ ...wait, due: endOf(wait) }))
      const [next] = waits.sort((one, other) => one.due - other.due)
      if (!next || next.due > until) return { at: until, ended: this.#ended }
      this.now = next.due - start
      this.#ended = next.key
      this.waits.delete(next.key)
      void this.act(next.act)
      await new Promise((resolve) => setTimeout(resolve))
      if (this.#requests > before) return { at: next.due, ended: next.key }
    }
  }

  /** Makes requests that are noticed. */
  asking(ask: Ask): void {
    this.ask = (path, body) => {
      this.#requests++
      return ask(path, body)
    }
  }

  tell(now: number): void {
    this.now = now - start
    this.told.push(this.now)
  }
}

/** Tells a story to an agent that begins with a function; it is over an hour after the last entry unless said otherwise. */
async function tell(begin: (agent: Actor) => unknown, more: object = {}, options: object = {}) {
  const { receiver, patience = 30 * second } = options as {
    receiver?: () => Promise<Response>
    patience?: number
  }
  const simulator = await createSimulator({
    scenario: { ...scenario, ...more },
    ...{ baseUrl: 'http://mailbox.test', clock: 'frozen' as const, patience },
  })
  const gate = new RequestGate(simulator.view.world)
  simulator.clock.setMode('auto')
  const headers = { authorization: `Bearer ${simulator.apiKey}`, 'content-type': 'application/json' }
  const agent = new Actor()
  agent.held = () => gate.held
  agent.gate = gate
  if (receiver) simulator.webhooks.on('*', receiver)
  agent.asking(async (path = 'threads', body) => {
    const content = body && { method: 'POST', body: JSON.stringify(body) }
    const request = new Request(`http://mailbox.test/api/v1/mail/${path}`, { headers, ...content })
    return (await getResponse(simulator.handlers, request))?.json()
  })
  const impatient: string[] = []
  const time = new AgentTime({
    ...{ world: simulator.view.world, agent, gate },
    onImpatient: (what, why) => impatient.push(`${why}: ${what}`),
    end: () => start + 2 * hour + hour,
    ...options,
  })
  agent.time = time
  onTestFinished(() => {
    agent.gone = true
    gate.close()
    simulator.close()
  })
  void agent.act(() => begin(agent))
  await time.run(new AbortController().signal)
  const requests = simulator.journal.exchanges().map(({ at }) => Date.parse(at) - start)
  return { agent, time, impatient, requests, simulator }
}

/** An agent that does something again and again, a while after it has done it. */
const every = (duration: number, act: (agent: Actor) => unknown) => async (agent: Actor) => {
  const round = async (): Promise<void> => {
    await act(agent)
    agent.wait(duration, round)
  }
  await round()
}

const short = { timeline: timeline.slice(0, 2) }
const shortEnd = { end: () => start + minute + hour }

describe('story time', () => {
  it('stands still while the agent works', async () => {
    let [works, at] = [true, -1]
    const { impatient } = await tell((agent) => {
      agent.seen = () => (works ? { works: [{ key: 'native', what: 'computes' }] } : {})
      setTimeout(() => {
        at = agent.now
        works = false
      }, 60)
    })
    expect([at, impatient]).toEqual([0, []])
  })

  it('goes on after ten times the patience, and says at what', async () => {
    const { impatient } = await tell(
      (agent) => {
        agent.seen = () => ({ works: [{ key: 'loop', what: 'a loop' }] })
      },
      short,
      { patience: 10, ...shortEnd },
    )
    expect(impatient).toEqual(['worked: a loop'])
  })

  it('jumps to what is due first, and at a tie the story goes first', async () => {
    const seen: unknown[] = []
    const { agent } = await tell(
      async (agent) => {
        agent.wait(minute, async () =>
          seen.push([agent.now, ((await agent.ask()) as { total: number }).total]),
        )
        agent.wait(10 * second, () => seen.push(agent.now))
      },
      short,
      shortEnd,
    )
    expect(seen).toEqual([10 * second, [minute, 2]])
    expect(agent.told).toEqual([second, minute - 1, minute, minute, minute + hour])
  })
})

describe('waits', () => {
  it('between which nothing is asked are as long as the agent wants', async () => {
    let [ticks, asked] = [0, [] as number[]]
    await tell(
      every(second, async (agent) => {
        if (++ticks % 600 !== 0) return
        asked = [...asked, agent.now]
        await agent.ask()
      }),
      short,
      shortEnd,
    )
    expect(ticks).toBeGreaterThan(3_600)
    expect(asked).toEqual([1, 2, 3, 4, 5, 6].map((round) => round * 600_000 - 1_000))
  })

  it('after three rounds in vain are half as long again each, up to ten minutes', async () => {
    const { requests } = await tell(
      every(minute, (agent) => agent.ask()),
      { timeline: [] },
      shortEnd,
    )
    expect(requests.map((at) => at / minute)).toEqual([0, 1, 2, 3, 5, 8, 13, 21, 31, 41, 51])
  })

  it('have no such limit if others are asked, too', async () => {
    const end = () => start + 4 * hour
    const asks = async (agent: Actor) => {
      await agent.ask()
      agent.question('model.test:80', `${agent.now}`)()
    }
    const { requests } = await tell(every(minute, asks), { timeline: [] }, { end })
    expect(requests.map((at) => at / minute)).toEqual([0, 1, 2, 3, 5, 8, 13, 21, 33, 51, 78, 119, 181])
  })

  it('end where the agent would have asked if the story moves meanwhile', async () => {
    const { requests } = await tell(
      every(30 * second, (agent) => agent.ask()),
      {
        timeline: [{ ...timeline[0], after: '1000s' }],
      },
    )
    const next = requests.find((at) => at >= 1_000 * second)
    expect(next).toBe(1_020 * second)
  })

  it('are not longer after a round in which it wrote', async () => {
    const change = { agent: 'support', to: ['ann@example.com'], subject: 'Hello', text: 'Hello.' }
    const { requests } = await tell(
      every(10 * minute, async (agent) => {
        await agent.ask()
        await agent.ask('messages', change)
      }),
      { timeline: [], extend: ['common'] },
      shortEnd,
    )
    expect(new Set(requests.map((at) => at / minute))).toEqual(new Set([0, 10, 20, 30, 40, 50, 60]))
  })

  it('are what the fourth equal request is', async () => {
    const { requests } = await tell(
      async (agent) => {
        while (!agent.gone) await agent.ask()
      },
      short,
      shortEnd,
    )
    expect(requests.filter((at) => at === 0).length).toBe(3)
    expect(new Set(requests)).toEqual(new Set([0, second, minute]))
  })
})

describe('the end of a story', () => {
  it('waits for a response that a fault delays, and for retries to a receiver that has answered', async () => {
    const fault = { operation: 'threads.list', delay: '30s', times: 1 }
    let seen = -1
    await tell(
      (agent) => {
        agent.wait(hour + minute - second, async () => {
          await agent.ask()
          seen = agent.now
        })
      },
      { timeline: [{ after: '1s', fault }] },
      shortEnd,
    )
    expect(seen).toBe(hour + minute + 29 * second)
    const webhooks = [{ url: 'http://agent.test/hook', events: ['message.received'] }]
    const receiving = { webhooks, timeline: [{ ...timeline[0], after: '1s' }] }
    const { simulator } = await tell(() => undefined, receiving, {
      end: () => start + 2 * second,
      receiver: async () => new Response(null, { status: 500 }),
    })
    // It was tried again until it was given up.
    expect(simulator.deliveries.list()[0]?.next_attempt_at).toBeNull()
  })
})

describe('no work is', () => {
  const asking = (seen: (agent: Actor) => void, options: object = {}) => {
    return tell(seen, short, { ...shortEnd, ...options })
  }

  it('a stream of events, or a response that brings nothing for as long as the patience', async () => {
    for (const quiet of [{ events: true }, { quiet: 30 * second }]) {
      const { impatient } = await asking((agent) => {
        agent.question('watch.test:80', '')
        for (const [key, ask] of agent.asks) agent.asks.set(key, { ...ask, ...quiet })
      })
      expect(impatient).toEqual([])
    }
  })

  it('a request that is equal to the two before it, unless the agent writes in between', async () => {
    const { impatient } = await asking((agent) => {
      for (let round = 0; round < 2; round++) agent.question('broker.test:80', 'next')()
      agent.question('broker.test:80', 'next')
    })
    expect(impatient).toEqual([])
    const other = await asking(
      (agent) => {
        for (let round = 0; round < 2; round++) agent.question('model.test:80', `${round}`)()
        agent.question('model.test:80', '2')
      },
      { patience: 10 },
    )
    expect(other.impatient).toEqual(['worked: GET http://model.test:80/'])
  })

  it('no request that is equal to quick ones, as to a page that somebody approves on, or other than those before it', async () => {
    for (const [took, body] of [
      [second - 1, 'look'],
      [second, 'other'],
    ] as const) {
      const { impatient } = await asking(
        (agent) => {
          for (let round = 0; round < 3; round++) agent.question('page.test:80', 'look', took)()
          agent.question('page.test:80', body)
        },
        { patience: 10 },
      )
      expect(impatient).toEqual(['worked: GET http://page.test:80/'])
    }
  })

  it('a request to an address that never answered before', async () => {
    let asked = 0
    const { impatient } = await asking(
      every(30 * minute, (agent) => void agent.question('log.test:80', `${++asked}`)),
      { patience: 10 },
    )
    expect(asked).toBeGreaterThan(2)
    expect(impatient).toEqual(['worked: GET http://log.test:80/'])
  })

  it('an answer of a host that is named', async () => {
    const links = ['named.test:1']
    const ignored = ['named.test', 'telemetry.test:80']
    const { impatient } = await asking(
      (agent) => {
        agent.seen = () => ({ links })
        agent.question('telemetry.test:80', 'x')
      },
      { ignored },
    )
    expect(impatient).toEqual([])
  })
})

describe('an agent that cannot be observed', () => {
  it('rests after the patience of silence', async () => {
    const { impatient } = await tell(
      (agent) => {
        agent.seen = () => ({ unseen: 'curl' })
      },
      short,
      { patience: 5, ...shortEnd },
    )
    expect(impatient).toEqual(['quiet: curl', 'quiet: curl', 'quiet: curl'])
  })

  it('rests once it has asked twice for what it had', async () => {
    const { impatient, requests } = await tell(
      async (agent) => {
        agent.seen = () => ({ unseen: 'curl' })
        while (!agent.gone) await agent.ask()
      },
      short,
      shortEnd,
    )
    expect(impatient).toEqual([])
    expect(new Set(requests)).toEqual(new Set([0, second, minute]))
  })

  it('moves on while nobody does anything, as soon as patience allows', async () => {
    const simulator = await createSimulator({ scenario, clock: 'auto', patience: 0 })
    await vi.waitFor(() => expect(simulator.timeline.left).toBe(0))
    expect(simulator.clock.now()).toBe('2026-01-05T11:00:00.000Z')
    simulator.close()
  })
})
