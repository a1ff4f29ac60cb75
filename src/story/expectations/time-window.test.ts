import { describe, expect, it } from 'vitest'
import { type CheckedRun, openRun } from '../../../test/support/replay/checked-run.fixture.js'
import { yieldToEventLoop } from '../../service/time/wall-time.js'

const threads = '/mail/threads'

describe('the time of requests', () => {
  const followUp = {
    key: 'follow-up',
    after: '1m' as const,
    receive: { to: 'support', thread: 'refund', text: 'News?' },
  }
  const question = { request: 'messages.list' } as const

  /** Lists messages now and after each of these times. */
  async function askAfter(run: CheckedRun, ...times: readonly string[]): Promise<void> {
    await run.ask('/mail/messages')
    for (const time of times) {
      await run.pass(time)
      await run.ask('/mail/messages')
    }
  }

  it('can be after an entry of the timeline', async () => {
    const run = await openRun({
      timeline: [followUp],
      expect: [
        { ...question, after: 'follow-up' },
        { ...question, after: 'follow-up', times: 0 },
      ],
    })
    await askAfter(run, '59s')
    expect(run.lines()).toMatchSnapshot()
    await run.pass('1s')
    expect(run.lines()).toMatchSnapshot()
    expect(run.passed()).toEqual([false, true])
    // At the same instant, but later.
    await run.ask('/mail/messages')
    expect(run.passed()).toEqual([true, false])
  })

  it('can be before an event, or at any time if that never comes', async () => {
    const run = await openRun({
      timeline: [followUp],
      expect: [
        { ...question, before: 'follow-up' },
        { ...question, before: 'identities.update', times: 2 },
        { ...question, before: 'follow-up', times: 0 },
      ],
    })
    await run.pass('1m')
    await askAfter(run, '30s')
    expect(run.lines()).toMatchSnapshot()
    expect(run.passed()).toEqual([false, true, true])
    await run.rename('Busy')
    await askAfter(run)
    expect(run.passed()).toEqual([false, true, true])
  })

  it('can be within a span from the start or from an event', async () => {
    const run = await openRun({
      timeline: [followUp],
      expect: [
        { ...question, within: '20s', at_least: 2 },
        { ...question, within: '2s', after: 'follow-up' },
        { ...question, within: '20s', at_most: 1 },
      ],
    })
    await askAfter(run, '20500ms', '42s', '1s')
    expect(run.lines(0)).toMatchSnapshot()
    expect(run.lines(1)).toMatchSnapshot()
    expect(run.lines(2)).toMatchSnapshot()
  })

  it('has its last instant in it', async () => {
    const run = await openRun({ expect: [{ ...question, within: '20s', times: 1 }] })
    await run.pass('20s')
    await askAfter(run, '1ms')
    expect(run.passed()).toEqual([true])
  })

  it('can be after or before the first request of an operation, or between two', async () => {
    const run = await openRun({
      expect: [
        { request: 'threads.list', before: 'identities.update' },
        { request: 'threads.list', after: 'identities.update' },
        { request: 'threads.list', after: 'threads.list' },
        { request: 'identities.update', after: 'threads.list', before: 'messages.list' },
      ],
    })
    await run.rename('Busy')
    expect(run.passed()).toEqual([false, false, false, false])
    await run.ask(threads)
    expect(run.lines(0)).toMatchSnapshot()
    expect(run.passed()).toEqual([false, true, false, false])
    await run.ask('/mail/messages')
    await run.rename('Idle')
    expect(run.passed()).toEqual([false, true, false, false])
    await run.ask(threads)
    expect(run.passed()).toEqual([false, true, true, false])
  })

  it('can be after an entry that a request triggers', async () => {
    const run = await openRun({
      timeline: [
        {
          key: 'answer',
          when: { request: 'messages.list' },
          receive: { to: 'support', thread: 'refund', text: 'Yes.' },
        },
      ],
      expect: [{ request: 'identities.update', after: 'answer', within: '10s' }],
    })
    await run.rename('Busy')
    expect(run.lines(0)[2]).toBe('found 0 of 1 request; answer did not come')
    await run.pass('1m')
    await run.read('Refund')
    await run.rename('Free')
    expect(run.passed()).toEqual([true])
  })

  it('is the arrival of a slow request', async () => {
    const run = await openRun({
      timeline: [
        followUp,
        { key: 'slow', after: '50s', fault: { operation: 'messages.list', delay: '20s' } },
      ],
      expect: [
        { ...question, after: 'follow-up' },
        { ...question, before: 'follow-up' },
      ],
    })
    await run.pass('55s')
    const slow = run.ask('/mail/messages')
    await yieldToEventLoop()
    await run.pass('30s')
    await slow
    expect(run.passed()).toEqual([false, true])
    expect(run.lines()[4]).toBe(
      '  time: expected after follow-up, found 55s into the story; follow-up came 1m into it',
    )
  })
})
