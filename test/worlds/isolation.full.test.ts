import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { startServer } from 'agent-mailbox-sim/server'
import { getResponse } from 'msw'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Acting, act } from './acts.js'

const office = {
  scenario: 'office',
  seed: 7,
  identities: ['eva', 'tom'].map((handle) => ({
    handle,
    threads: [{ key: handle, messages: [{ at: '-2d', attachments: [{ text: `7 for ${handle}` }] }] }],
    generate: { threads: 4, messages: [1, 3] as [number, number], over: '20d' as const, attachments: 0.3 },
  })),
  webhooks: [{ url: 'http://127.0.0.1:9/hook', events: ['message.received' as const] }],
  timeline: [
    { after: '20m' as const, receive: { to: 'eva', subject: 'News', text: 'Any news?' } },
    { after: '1h' as const, fault: { handle: 'tom', status: 503, times: 2 } },
    { after: '3h' as const, receive: { to: 'tom', thread: 'tom', text: 'And now?' } },
  ],
}

/** A simulator with any number of worlds, and its address. */
interface Host {
  readonly simulator: Simulator
  readonly url: string
}

const hosts: Readonly<Record<string, () => Promise<Host>>> = {
  'over HTTP': async () => {
    // Captures deliveries, as the library does.
    const server = await startServer({
      scenario: office,
      port: 0,
      clock: 'frozen',
      receiver: () => undefined,
    })
    onTestFinished(() => server.close())
    return server
  },
  'in-process': async () => {
    const url = 'http://office.test'
    const simulator = await listen({ scenario: office, baseUrl: url, onUnhandledRequest: 'error' })
    onTestFinished(() => simulator.close())
    return { simulator, url }
  },
}

/** Creates a world among the others, does something in it and drops it. */
async function forkAndClose(simulator: Simulator): Promise<void> {
  const world = simulator.fork()
  await world.mail.receive({ to: 'eva', text: 'Passing by' })
  world.faults.add({ handle: 'tom', reset: true })
  await world.clock.advance('4h')
  world.close()
}

/** Plays some turns in a world; returns what came of each, and then what is seen of the world, without wall times. */
async function play(world: Acting, seed: number): Promise<string[]> {
  const lines: string[] = []
  for (let turn = 0; turn < 14; turn++) lines.push(await act(world, seed, turn))
  // Deliveries in flight would be in the snapshot.
  await world.sim.clock.advance('1s')
  const { journal, faults, assumptions, timeline, clock } = world.sim
  const exchanges = journal.exchanges().map(({ at, method, path, query, status, reliances, fault }) => {
    return [at, method, path, query, status, reliances, fault]
  })
  const commands = journal.commands().map(({ at, command }) => [at, command])
  const rest = [faults.list(), assumptions.current(), assumptions.origins(), timeline.played(), clock.now()]
  const seen = [...exchanges, ...commands, ...rest, world.sim.snapshot()].map((line) => JSON.stringify(line))
  return [...lines, ...seen, world.sim.digest()].map((line) => line.replaceAll(world.url, ''))
}

/** Creates a simulator with one world only. */
async function alone(seed: number): Promise<Acting> {
  const url = 'http://office.test'
  const sim = await createSimulator({ scenario: office, seed, baseUrl: url })
  const send = async (request: Request): Promise<Response> => {
    const response = await getResponse(sim.handlers, request)
    // As `fetch` fails.
    if (!response || response.type === 'error') throw new TypeError('Failed to fetch')
    return response
  }
  return { sim, url, send }
}

describe.each(Object.entries(hosts))('a dozen worlds of one simulator %s', (_, open) => {
  it('are each as it is alone, whatever happens in the others at the same time', async () => {
    const first = Math.floor(Date.now() % 2 ** 20)
    const { simulator, url } = await open()
    const before = simulator.digest()
    // Most worlds share the seed of the scenario, so that leaked rows would be plausible.
    const seedOf = (index: number): number => (index % 4 === 0 ? index : office.seed)
    const together = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        await forkAndClose(simulator)
        const sim = await simulator.addWorld({ seed: seedOf(index) })
        return play({ sim, url }, first + index)
      }),
    )
    for (const [index, lines] of together.entries()) {
      expect(lines, `world ${index} of seed ${first}`).toEqual(
        await play(await alone(seedOf(index)), first + index),
      )
    }
    expect(simulator.digest()).toBe(before)
    expect(simulator.journal.exchanges()).toEqual([])
  }, 120_000)
})
