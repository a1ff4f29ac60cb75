import { describe, expect, it } from 'vitest'
import { breathe } from '../../world/index.js'
import { openTrial, type StoryAtTrial } from './judged-story.fixture.js'

const threads = '/mail/threads'

describe('the time of requests', () => {
  const followUp = {
    key: 'follow-up',
    after: '1m',
    receive: { to: 'support', thread: 'refund', text: 'News?' },
  }
  const question = { request: 'messages.list' } as const

  /** Asks for messages now, and after each of these times. */
  async function askAfter(trial: StoryAtTrial, ...times: readonly string[]): Promise<void> {
    await trial.ask('/mail/messages')
    for (const time of times) {
      await trial.pass(time)
      await trial.ask('/mail/messages')
    }
  }

  it('may be after an entry of the timeline', async () => {
    const trial = await openTrial({
      timeline: [followUp],
      expect: [
        { ...question, after: 'follow-up' },
        { ...question, after: 'follow-up', times: 0 },
      ],
    })
    await askAfter(trial, '59s')
    expect(trial.told()).toEqual([
      'failed 59s into the story',
      'expected at least 1 request of messages.list after follow-up',
      'found 0 of 2 requests; follow-up did not come',
      'nearest GET /api/v1/mail/messages 200, 2, 59s',
      '  after: expected after follow-up (which did not come), found 59s into it',
    ])
    await trial.pass('1s')
    expect(trial.told().slice(2)).toEqual([
      'found 0 of 2 requests',
      'nearest GET /api/v1/mail/messages 200, 2, 59s',
      '  after: expected after follow-up (1m into the story), found 59s into it',
    ])
    expect(trial.passed()).toEqual([false, true])
    // At the same instant, but later.
    await trial.ask('/mail/messages')
    expect(trial.passed()).toEqual([true, false])
  })

  it('is counted from the first time of an entry that happens again and again', async () => {
    const reminders = { ...followUp, repeat: { times: 3, every: '1m' } }
    const trial = await openTrial({
      timeline: [reminders],
      expect: [
        { ...question, after: 'follow-up', within: '30s' },
        { ...question, before: 'follow-up', times: 1 },
      ],
    })
    await askAfter(trial, '80s', '60s')
    expect(trial.passed()).toEqual([true, true])
  })

  it('may be before something, and counts all where that never comes', async () => {
    const trial = await openTrial({
      timeline: [followUp],
      expect: [
        { ...question, before: 'follow-up' },
        { ...question, before: 'identities.update', times: 2 },
        { ...question, before: 'follow-up', times: 0 },
      ],
    })
    await trial.pass('1m')
    await askAfter(trial, '30s')
    expect(trial.told()).toEqual([
      'failed 1m into the story',
      'expected at least 1 request of messages.list before follow-up',
      'found 0 of 2 requests',
      'nearest GET /api/v1/mail/messages 200, 1, 1m',
      '  before: expected before follow-up (1m into the story), found the same time, after it',
    ])
    expect(trial.passed()).toEqual([false, true, true])
    await trial.rename('Busy')
    await askAfter(trial)
    expect(trial.passed()).toEqual([false, true, true])
  })

  it('may be within a span from the start, or from something', async () => {
    const trial = await openTrial({
      timeline: [followUp],
      expect: [
        { ...question, within: '20s', at_least: 2 },
        { ...question, within: '2s', after: 'follow-up' },
        { ...question, within: '20s', at_most: 1 },
      ],
    })
    await askAfter(trial, '20500ms', '42s', '1s')
    expect(trial.told(0)).toEqual([
      'failed 20s into the story',
      'expected at least 2 requests of messages.list within 20s of the start',
      'found 1 of 4 requests',
      'nearest GET /api/v1/mail/messages 200, 2, 20s',
      '  within: expected within 20s of the start, found 21s after the start',
    ])
    expect(trial.told(1)).toEqual([
      'failed 1m2s into the story',
      'expected at least 1 request of messages.list within 2s after follow-up',
      'found 0 of 4 requests',
      'nearest GET /api/v1/mail/messages 200, 3, 1m2s',
      '  within: expected within 2s after follow-up, found 3s after follow-up',
    ])
    expect(trial.told(2)).toEqual([
      'passed 1m3s into the story',
      'expected at most 1 request of messages.list within 20s of the start',
      'found 1 of 4 requests',
    ])
  })

  it('may be after the first request of an operation, before it, or between two things', async () => {
    const trial = await openTrial({
      expect: [
        { request: 'threads.list', before: 'identities.update' },
        { request: 'threads.list', after: 'identities.update' },
        { request: 'threads.list', after: 'threads.list' },
        { request: 'identities.update', after: 'threads.list', before: 'messages.list' },
      ],
    })
    await trial.rename('Busy')
    expect(trial.passed()).toEqual([false, false, false, false])
    await trial.ask(threads)
    expect(trial.told(0).slice(-2)).toEqual([
      'nearest GET /api/v1/mail/threads 200, 2, 0s',
      '  before: expected before identities.update (0s into the story), found the same time, after it',
    ])
    expect(trial.passed()).toEqual([false, true, false, false])
    await trial.ask('/mail/messages')
    await trial.rename('Idle')
    expect(trial.passed()).toEqual([false, true, false, false])
    await trial.ask(threads)
    expect(trial.passed()).toEqual([false, true, true, false])
  })

  it('may be timed by another expectation, from the moment that came true', async () => {
    const trial = await openTrial({
      expect: [
        { request: 'identities.update', after: 'read-twice', within: '10s' },
        { key: 'read-twice', request: 'messages.list', at_least: 2 },
        { request: 'threads.list', before: 'refund-read', times: 1 },
        { key: 'refund-read', thread: 'refund', identity: 'support', has: { unread: false } },
      ],
    })
    await trial.ask(threads)
    await trial.read('Refund')
    await trial.rename('Busy')
    await trial.pass('1m')
    expect(trial.told(0)[2]).toBe('found 0 of 3 requests; read-twice did not come')
    await trial.read('Refund')
    await trial.ask(threads)
    await trial.pass('10s')
    await trial.rename('Busy')
    expect(trial.passed()).toEqual([true, true, true, true])
  })

  it('of the one that makes another expectation come true is neither before that nor after it', async () => {
    const trial = await openTrial({
      expect: [
        { request: 'threads.list', before: 'asked' },
        { request: 'threads.list', after: 'asked' },
        { key: 'asked', request: 'threads.list' },
      ],
    })
    await trial.ask(threads)
    expect(trial.passed()).toEqual([false, false, true])
    await trial.ask(threads)
    expect(trial.passed()).toEqual([false, true, true])
  })

  it('of one that takes long is that at which it came', async () => {
    const trial = await openTrial({
      timeline: [
        followUp,
        { key: 'slow', after: '50s', fault: { operation: 'messages.list', delay: '20s' } },
      ],
      expect: [
        { ...question, after: 'follow-up' },
        { ...question, before: 'follow-up' },
      ],
    })
    await trial.pass('55s')
    const slow = trial.ask('/mail/messages')
    await breathe()
    await trial.pass('30s')
    await slow
    expect(trial.passed()).toEqual([false, true])
    expect(trial.told()[4]).toBe('  after: expected after follow-up (1m into the story), found 55s into it')
  })

  it('counts requests that a fault disturbed as well', async () => {
    const trial = await openTrial({
      timeline: [{ after: '0s', fault: { operation: 'threads.list', status: 503, times: 1 } }],
      expect: [
        { request: 'threads.list', where: { status: 200 } },
        { request: 'threads.list', where: { status: 503 } },
      ],
    })
    await trial.ask(threads)
    expect(trial.passed()).toEqual([false, true])
    expect(trial.told().slice(3)).toEqual([
      'nearest GET /api/v1/mail/threads 503, disturbed by fault_1, 1, 0s',
      '  status: expected 200, found 503',
    ])
  })
})
