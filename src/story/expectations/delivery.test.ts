import { describe, expect, it } from 'vitest'
import { openRun } from '../../../test/support/replay/checked-run.fixture.js'

const url = 'http://agent.test/hook'
const webhooks = [{ url, events: ['message.received' as const] }]
const received = { delivery: 'message.received', status: 'succeeded' } as const
const mail = (key: string, after: `${number}s`) => ({
  key,
  after,
  receive: { to: 'support', thread: 'refund', text: key },
})

/** A receiver that responds with these statuses in turn, then with the last one. */
function answering(...statuses: readonly number[]) {
  let count = 0
  return () => new Response('', { status: statuses[Math.min(count++, statuses.length - 1)] as number })
}

describe('an expectation of deliveries', () => {
  it('counts deliveries by their final status', async () => {
    const run = await openRun({
      webhooks,
      receiver: answering(200, 500),
      timeline: [mail('first', '10s'), mail('second', '20s')],
      expect: [
        { ...received, times: 2 },
        { ...received, at_most: 0 },
        { delivery: 'message.received', times: 2 },
        { delivery: 'message.bounced' },
        { ...received, url: 'http://elsewhere.test/hook' },
      ],
    })
    expect(run.lines(0)).toMatchSnapshot()
    await run.pass('21s')
    expect(run.lines(0)).toMatchSnapshot()
    expect(run.lines(1)).toMatchSnapshot()
    expect(run.lines(3)).toMatchSnapshot()
    expect(run.lines(4)).toMatchSnapshot()
    expect(run.passed()).toEqual([false, false, true, false, false])
  })

  it('counts a delivery that succeeded by a retry but not a captured one', async () => {
    const again = await openRun({
      webhooks,
      receiver: answering(500, 200),
      timeline: [mail('first', '10s')],
      expect: [
        { ...received, times: 1 },
        { ...received, url: 'http://elsewhere.test/hook' },
      ],
    })
    await again.pass('10s')
    expect(again.lines(1).at(-1)).toMatch(/^ {2}Its next attempt is due at /)
    await again.pass('23h')
    expect(again.lines()).toMatchSnapshot()
    const captured = await openRun({
      webhooks,
      timeline: [mail('first', '10s')],
      expect: [received, { delivery: 'message.received', status: 'captured' }],
    })
    await captured.pass('1m')
    expect(captured.passed()).toEqual([false, true])
    expect(captured.lines()[3]).toMatch(/hook failed: Nothing in this process receives it/)
    expect(captured.lines()[4]).toBe('  status: expected "succeeded", found "captured"')
  })

  it('explains that an event did not happen or notified no subscription', async () => {
    const run = await openRun({
      timeline: [mail('first', '10s')],
      expect: [received, { delivery: 'message.bounced', times: 0 }],
    })
    await run.pass('10s')
    expect(run.lines()[2]).toBe(
      'found no delivery of message.received; it happened, and no subscription was notified',
    )
    expect(run.lines(1)).toMatchSnapshot()
  })

  it('compares "after" with the time of the event, "within" and "before" with that of the status', async () => {
    const run = await openRun({
      webhooks,
      receiver: answering(200, 500, 200),
      timeline: [mail('first', '10s'), mail('second', '20s')],
      expect: [
        { ...received, after: 'first', within: '5s' },
        { ...received, after: 'second', within: '1ms' },
        { ...received, before: 'second', times: 1 },
        { ...received, after: 'threads.list' },
      ],
    })
    await run.pass('20s')
    await run.ask('/mail/threads')
    await run.pass('1d')
    await run.ask('/mail/threads')
    expect(run.passed()).toEqual([true, false, true, false])
    const [second] = run.simulator.deliveries.list().slice(1)
    expect(second?.attempts.length).toBe(2)
    expect([run.lines(1), run.lines(3)]).toMatchSnapshot()
  })
})
