import { describe, expect, it, vi } from 'vitest'
import { ask } from '../../../test/support/simulator/asked-desk.js'
import type { WorldEvent } from '../../service/world/entries.js'
import { createSimulator } from '../simulator/create-simulator.js'
import type { SimulatorOptions } from '../simulator/options.js'
import type { Simulator } from '../simulator/simulator.js'
import { logRoutes } from './log.js'

const scenario = {
  scenario: 'desk',
  identities: [{ handle: 'support' }],
  timeline: [{ after: '30s' as const, receive: { to: 'support', text: 'Any news?' } }],
}

function open(options: SimulatorOptions = {}): Promise<Simulator> {
  return createSimulator({ scenario, ...options })
}

const request = (sim: Simulator) => ask(sim, '/api/v1/webhooks')
const typesOf = (events: readonly WorldEvent[]): string[] => events.map(({ type }) => type)

describe('sim.events', () => {
  it('has every event in order, with its time', async () => {
    const sim = await open()
    await request(sim)
    await sim.clock.advance('1m')
    sim.clock.setMode('10x')
    sim.clock.setMode('frozen')
    sim.faults.add({ status: 503, times: 1 })
    sim.assumptions.set({ 'threads.total': 'page-size' })
    const events = sim.events.after(0)
    const types = 'exchange command event timeline clock clock clock fault assumptions'
    expect(typesOf(events).join(' ')).toBe(types)
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(sim.events.latest).toBe(9)
    expect(events[0]?.data).toEqual(sim.journal.exchanges()[0])
    expect(events[2]?.data).toMatchObject({ type: 'message.received', subscriptions: 0 })
    expect(events[3]).toMatchObject({ at: '2026-01-05T09:00:30.000Z', world: 'world_1' })
    expect(events[4]).toMatchObject({
      at: '2026-01-05T09:01:00.000Z',
      data: { from: '2026-01-05T09:00:00.000Z', now: '2026-01-05T09:01:00.000Z', mode: 'frozen' },
    })
    expect(events[5]?.data).toMatchObject({ from: '2026-01-05T09:01:00.000Z', mode: '10x' })
    expect(events[7]?.data).toEqual({ id: 'fault_1', fault: { status: 503, times: 1 } })
    expect(sim.events.after(8)).toEqual(events.slice(8))
    sim.faults.add({ status: 500 })
    sim.faults.clear()
    expect(sim.events.after(10)).toMatchObject([
      { type: 'fault', data: { id: 'fault_1', fault: null } },
      { type: 'fault', data: { id: 'fault_2', fault: null } },
    ])
  })

  it('is streamed once, also what happens while a reader catches up', async () => {
    const sim = await open()
    for (const _ of [1, 2, 3]) await request(sim)
    const route = logRoutes.find((one) => one.stream !== undefined)
    const { signal } = new AbortController()
    const seen: number[] = []
    for await (const text of route?.stream?.(sim, { after: 0 }, { lastEventId: undefined, signal }) ?? []) {
      const [, seq] = /"seq":(\d+)/.exec(text) ?? []
      if (seq === undefined) continue
      seen.push(Number(seq))
      if (seen.length === 5) break
      if (seq === '1') await request(sim)
      // Once it waits for what is new.
      if (seq === '4') setTimeout(() => void request(sim))
    }
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })

  it('is cleared by a reset, but the numbers continue', async () => {
    const sim = await open()
    await request(sim)
    sim.reset()
    const [reset, ...more] = sim.events.after(0)
    expect(reset).toMatchObject({ seq: 2, type: 'reset', data: { scenario: 'desk' } })
    expect(more).toEqual([])
    await request(sim)
    sim.journal.clear()
    expect(sim.events.after(0)).toEqual([])
    expect(sim.events.latest).toBe(3)
  })

  it('notifies a listener of every event until it unsubscribes', async () => {
    const sim = await open()
    await request(sim)
    const seen: WorldEvent[] = []
    const stop = sim.events.subscribe((event) => seen.push(event))
    await request(sim)
    await sim.mail.receive({ to: 'support' })
    stop()
    await request(sim)
    expect(seen).toEqual(sim.events.after(1).slice(0, 3))
    expect(typesOf(seen)).toEqual(['exchange', 'command', 'event'])
  })

  it('emits the events that a listener causes after the current one', async () => {
    const sim = await open()
    const orders: number[][] = [[], []]
    sim.events.subscribe(({ seq, type }) => {
      orders[0]?.push(seq)
      if (type === 'exchange') sim.assumptions.set({ 'threads.total': 'page-size' })
    })
    sim.events.subscribe(({ seq }) => orders[1]?.push(seq))
    await request(sim)
    sim.reset()
    expect(orders).toEqual(Array(2).fill([1, 2, 3]))
  })

  it('isolates a listener that throws and reports its error', async () => {
    const onDefect = vi.fn()
    const sim = await open({ onDefect })
    const seen: number[] = []
    const error = new Error('a listener fails')
    sim.events.subscribe(() => {
      throw error
    })
    sim.events.subscribe(({ seq }) => seen.push(seq))
    await request(sim)
    await sim.mail.receive({ to: 'support' })
    expect(seen).toEqual([1, 2, 3])
    expect(onDefect.mock.calls).toEqual(Array(3).fill([error, undefined]))
    expect(sim.journal.exchanges()).toMatchObject([{ status: 200 }])
  })

  it('logs the error of a listener to the error console without onDefect', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const sim = await open()
    const error = new Error('a listener fails')
    sim.events.subscribe(() => {
      throw error
    })
    sim.reset()
    expect(written.mock.calls).toEqual([
      [expect.stringMatching(/^agent-mailbox-sim failed\nError: a listener fails\n/)],
    ])
    written.mockRestore()
  })

  it('can be iterated until the world is closed', async () => {
    const sim = await open()
    await request(sim)
    const fork = sim.fork()
    const read: string[] = []
    const assumption = (async () => {
      for await (const { seq, type, world } of fork.events) read.push(`${world} ${seq} ${type}`)
    })()
    await request(fork)
    await request(sim)
    await fork.mail.receive({ to: 'support' })
    fork.close()
    await assumption
    expect(read).toEqual([`${fork.id} 1 exchange`, `${fork.id} 2 command`, `${fork.id} 3 event`])
  })

  it('allows leaving a loop and ending an iterator while it waits', async () => {
    const sim = await open()
    sim.assumptions.set({})
    const ready = sim.events[Symbol.asyncIterator]()
    sim.assumptions.set({})
    sim.assumptions.set({})
    for await (const { seq } of { [Symbol.asyncIterator]: () => ready }) {
      expect(seq).toBe(2)
      break
    }
    expect(await ready.next()).toEqual({ value: undefined, done: true })
    const waiting = sim.events[Symbol.asyncIterator]()
    const next = [waiting.next(), waiting.next()]
    sim.assumptions.set({})
    expect(await next[0]).toMatchObject({ value: { seq: 4 } })
    await waiting.return?.()
    expect(await next[1]).toEqual({ value: undefined, done: true })
  })
})
