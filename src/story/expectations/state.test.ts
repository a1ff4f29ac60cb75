import { describe, expect, it } from 'vitest'
import { openRun } from '../../../test/support/replay/checked-run.fixture.js'

const refund = { thread: 'refund', identity: 'support' } as const
const followUp = {
  key: 'follow-up',
  after: '1m' as const,
  receive: { to: 'support', thread: 'refund', text: 'News?' },
}

describe('an expectation of the final state', () => {
  it('checks the fields of an agent', async () => {
    const run = await openRun({
      expect: [{ identity: 'support', has: { display_name: 'Busy', description: '' } }],
    })
    expect(run.lines()).toMatchSnapshot()
    await run.rename('Busy')
    await run.pass('10s')
    expect(run.lines()).toMatchSnapshot()
    await run.rename('Idle')
    expect(run.passed()).toEqual([false])
  })

  it('checks the fields of a thread, even one that mail creates', async () => {
    const run = await openRun({
      timeline: [
        followUp,
        { after: '2m', receive: { to: 'sales', thread: 'offer', subject: 'Offer', text: 'Ten chairs?' } },
      ],
      expect: [
        { ...refund, has: { unread: false, message_count: { at_least: 2 }, subject: { contains: 'fun' } } },
        { thread: 'offer', has: { snippet: { matches: '^Ten' }, subject: 'Offer' } },
      ],
    })
    await run.read('Refund')
    await run.pass('1m')
    expect(run.lines(0)).toMatchSnapshot()
    expect(run.lines(0).slice(4)).toEqual(['  unread: expected false, found true'])
    expect(run.lines(1)).toMatchSnapshot()
    await run.read('Refund')
    await run.pass('1m')
    expect(run.passed()).toEqual([true, true])
  })

  it('checks the fields of a message, even one of the timeline', async () => {
    const run = await openRun({
      timeline: [
        followUp,
        { after: '2m', send: { key: 'answer', from: 'support', thread: 'refund', text: 'Soon.' } },
      ],
      expect: [
        { message: 'question', thread: 'parcel', has: { text: 'Hello', to: 'support@agents.example' } },
        { message: 'follow-up', has: { text: { contains: 'News' }, direction: 'inbound', html: '' } },
        { message: 'answer', has: { direction: 'outbound', to: 'ann@mail.example' } },
        { message: 'question', thread: 'refund', identity: 'sales', has: { from: 'Eve <eve@mail.example>' } },
      ],
    })
    await run.pass('1m')
    expect(run.lines(2)).toMatchSnapshot()
    await run.pass('1m')
    expect(run.passed()).toEqual([true, true, true, false])
    expect(run.lines(3).at(-1)).toBe(
      '  from: expected "Eve <eve@mail.example>", found "Ann Lee <ann@mail.example>"',
    )
  })

  it('treats an absent field as null', async () => {
    const run = await openRun({
      assume: { 'messages.empty-body': 'absent' },
      expect: [{ message: 'question', thread: 'parcel', has: { html: null } }],
    })
    expect(run.passed()).toEqual([true])
  })
})

describe('an expectation of a state within some time', () => {
  it('passes if the state held at some moment', async () => {
    const run = await openRun({
      timeline: [followUp],
      expect: [
        { ...refund, has: { unread: false }, within: '10s' },
        { ...refund, has: { unread: false }, after: 'follow-up', within: '30s' },
        { ...refund, has: { unread: false }, after: 'follow-up' },
        { identity: 'support', has: { display_name: 'support' }, within: '1s' },
      ],
    })
    await run.pass('5s')
    await run.read('Refund')
    await run.rename('Busy')
    await run.pass('1m')
    expect(run.lines(0)).toMatchSnapshot()
    // The message of the entry made the thread unread again.
    expect(run.lines(1)).toMatchSnapshot()
    await run.read('Refund')
    expect(run.lines(1)).toMatchSnapshot()
    expect(run.passed()).toEqual([true, true, true, true])
  })

  it('shows when the state came too late', async () => {
    const run = await openRun({
      timeline: [followUp],
      expect: [{ ...refund, has: { unread: false }, after: 'follow-up', within: '30s' }],
    })
    expect(run.lines()[2]).toBe('found follow-up did not come; at the end unread: true')
    await run.pass('2m')
    await run.read('Refund')
    await run.pass('1m')
    run.simulator.threads.markUnread(run.idOf('Refund'))
    await run.read('Refund')
    expect(run.lines()).toMatchSnapshot()
  })
})
