import { describe, expect, it } from 'vitest'
import { openRun } from '../../../../test/support/replay/checked-run.fixture.js'
import type { ScenarioInput } from '../../format/scenario.js'
import { invariants } from './invariants.js'

const hook = 'http://agent.test/hook'
const webhooks: ScenarioInput['webhooks'] = [{ url: hook, events: ['message.received'] }]
const handlesOnce: ScenarioInput['expect'] = [{ invariant: 'handles-events-once' }]
const redelivered: ScenarioInput['timeline'] = [
  { after: '1s', receive: { thread: 'parcel', text: 'Here?' } },
  { when: { delivery: 'message.received' }, redeliver: { event: 'message.received' } },
]

describe('invariant', () => {
  it('ends: limits the requests and, with a time, the run of a client', async () => {
    const run = await openRun({ expect: [{ invariant: 'ends', at_most: 2, within: '1m' }] })
    await run.ask('/identities/support')
    await run.ask('/identities/support')
    run.checker.noteClient('running')
    expect(run.result().found).toBe('it was still running when the story had ended, after 2 requests')
    run.checker.noteClient('ended')
    expect(run.passed()).toEqual([true])
    await run.ask('/identities/support')
    expect(run.result()).toMatchObject({ passed: false, found: 'more than 2 requests' })
  })

  it('gives-up: limits the repeats of a failing request', async () => {
    const timeline = [{ after: '0s', fault: { operation: 'threads.list', status: 503 } }] as const
    const run = await openRun({ timeline: [...timeline], expect: [{ invariant: 'gives-up', at_most: 2 }] })
    for (const path of ['threads', 'threads?limit=1', 'threads']) await run.ask(`/mail/${path}`)
    expect(run.passed()).toEqual([true])
    await run.ask('/mail/threads')
    expect(run.result().found).toBe('a request sent 3 times while it failed')
  })

  it('gives-up: counts only consecutive failures', async () => {
    const run = await openRun({ expect: [{ invariant: 'gives-up', at_most: 2 }] })
    const fail = async (times: number) => {
      run.simulator.faults.add({ operation: 'threads.list', status: 503, times })
      for (let time = 0; time <= times; time++) await run.ask('/mail/threads')
    }
    await fail(2)
    await fail(2)
    expect(run.passed()).toEqual([true])
    await fail(3)
    expect(run.passed()).toEqual([false])
  })

  it('obeys-retry-after: accepts a repeat after the wait', async () => {
    const fault = { operation: 'threads.list', status: 503, retry_after: '2s', times: 2 } as const
    const run = await openRun({
      timeline: [{ after: '0s', fault }],
      expect: [{ invariant: 'obeys-retry-after' }],
    })
    await run.ask('/mail/threads')
    await run.ask('/mail/threads?limit=1')
    await run.pass('2s')
    await run.ask('/mail/threads')
    expect(run.passed()).toEqual([true])
    await run.ask('/mail/threads?limit=1')
    await run.ask('/mail/threads')
    expect(run.passed()).toEqual([true])
  })

  it('obeys-retry-after: rejects an immediate repeat', async () => {
    const fault = { operation: 'threads.list', status: 429, retry_after: 30, times: 1 } as const
    const run = await openRun({
      timeline: [{ after: '0s', fault }],
      expect: [{ invariant: 'obeys-retry-after' }],
    })
    await run.ask('/mail/threads')
    await run.ask('/mail/threads')
    expect(run.result().found).toMatch(/^a request repeated \S+ after a response 429 that asked to wait 30s$/)
  })

  it('gives-up and obeys-retry-after: accept a repeat for a delivery that comes again', async () => {
    const fault = { operation: 'threads.list', status: 503, retry_after: '60s', times: 3 } as const
    const run = await openRun({
      timeline: [{ after: '0s', fault }, ...redelivered],
      webhooks,
      expect: [{ invariant: 'obeys-retry-after' }, { invariant: 'gives-up', at_most: 1 }],
    })
    run.simulator.webhooks.on(hook, async () => {
      await run.ask('/mail/threads')
      return new Response(null, { status: 500 })
    })
    await run.pass('30s')
    expect(run.simulator.journal.exchanges().length).toBeGreaterThan(1)
    expect(run.passed()).toEqual([true, true])
    await run.pass('40s')
    await run.ask('/mail/threads')
    run.simulator.faults.add({ operation: 'threads.list', status: 503, times: 2 })
    for (let time = 0; time < 2; time++) await run.ask('/mail/threads')
    expect(run.passed()[1]).toBe(false)
  })

  it('handles-events-once: rejects a second equal write for a redelivered event', async () => {
    const handled = new Set<string>()
    for (const isCareful of [true, false]) {
      const run = await openRun({ timeline: redelivered, webhooks, expect: handlesOnce })
      run.simulator.webhooks.on(hook, async (request) => {
        const { id } = JSON.parse(await request.text()) as { id: string }
        if (isCareful && handled.has(id)) return
        handled.add(id)
        await run.rename('Busy')
      })
      await run.pass('10s')
      expect(run.simulator.deliveries.list()[0]?.attempts).toHaveLength(2)
      await run.rename('Free')
      expect(run.passed()).toEqual([isCareful])
    }
  })

  it('handles-events-once: accepts equal writes for different events', async () => {
    const timeline: ScenarioInput['timeline'] = [
      { after: '1s', receive: { thread: 'parcel', text: 'Here?' } },
      { after: '2s', receive: { to: 'sales', thread: 'refund', text: 'Well?' } },
    ]
    const run = await openRun({ timeline, webhooks, expect: handlesOnce })
    run.simulator.webhooks.on(hook, () => run.rename('Busy'))
    await run.pass('10s')
    expect(run.passed()).toEqual([true])
  })

  it('handles-events-once: accepts one write after the response and rejects a second', async () => {
    const run = await openRun({ timeline: redelivered, webhooks, expect: handlesOnce })
    run.simulator.webhooks.on(hook, () => undefined)
    await run.pass('10s')
    expect(run.simulator.deliveries.list()[0]?.attempts).toHaveLength(2)
    await run.rename('Busy')
    expect(run.passed()).toEqual([true])
    await run.rename('Busy')
    expect(run.passed()).toEqual([false])
  })

  it('handles-events-once: accepts a write that the client repeats all the time', async () => {
    const run = await openRun({ timeline: redelivered, webhooks, expect: handlesOnce })
    run.simulator.webhooks.on(hook, () => undefined)
    await run.rename('Busy')
    await run.pass('10s')
    await run.rename('Busy')
    await run.rename('Busy')
    expect(run.passed()).toEqual([true])
  })

  it('handles-events-once: accepts the repetition of a write whose response was malformed', async () => {
    const run = await openRun({ timeline: redelivered, webhooks, expect: handlesOnce })
    run.simulator.webhooks.on(hook, () => undefined)
    await run.pass('10s')
    run.simulator.faults.add({ operation: 'identities.update', malformed: true, times: 1 })
    await run.rename('Busy')
    await run.rename('Busy')
    expect(run.simulator.journal.exchanges().map(({ status }) => status)).toEqual([200, 200])
    expect(run.passed()).toEqual([true])
  })

  it('handles-events-once: accepts writes long after the deliveries', async () => {
    const run = await openRun({
      timeline: [
        { after: '1s', receive: { thread: 'parcel', text: 'Here?' } },
        { after: '2s', receive: { thread: 'parcel', text: 'Or here?' } },
      ],
      webhooks,
      expect: handlesOnce,
    })
    run.simulator.webhooks.on(hook, () => undefined)
    await run.pass('10s')
    await run.rename('Busy')
    const [first] = run.simulator.deliveries.list()
    await run.simulator.deliveries.redeliver(String(first?.id))
    await run.rename('Busy')
    expect(run.simulator.deliveries.list()[0]?.attempts).toHaveLength(2)
    expect(run.passed()).toEqual([true])
  })

  it('writes-nothing-else: accepts only the listed writes', async () => {
    const write = 'PATCH /api/v1/identities/support {"display_name":"Busy"}'
    const run = await openRun({ expect: [{ invariant: 'writes-nothing-else', writes: [write] }] })
    await run.rename('Busy')
    expect(run.passed()).toEqual([true])
    await run.rename('Gone')
    expect(run.result().found).toBe(
      'an unexpected write: PATCH /api/v1/identities/support {"display_name":"Gone"}',
    )
  })

  it('answers-deliveries: rejects an attempt that timed out', () => {
    const window = { after: null, before: null, within: null }
    const about = { key: null, describe: null, atMost: null, writes: null, people: null, window }
    const expected = { kind: 'invariant', invariant: 'answers-deliveries', ...about } as const
    const watch = invariants['answers-deliveries'].watch(expected, {} as never)
    const observe = (error: object | null) => {
      const delivery = { event: { type: 'message.received' }, url: hook, attempts: [{ error }] }
      const moment = { at: 0, seq: 1 }
      return watch.observe({ type: 'delivery', moment, delivery } as never)
    }
    expect(observe(null)).toBeUndefined()
    expect(observe({ code: 'unreachable', message: 'Nobody listens.' })).toBeUndefined()
    expect(observe({ code: 'timeout', message: 'No response within 10s.' })?.found).toBe(
      'no response to a delivery of message.received in time',
    )
  })
})
