import { describe, expect, it } from 'vitest'
import common from '../../../extensions/common.js'
import { openRun } from '../../../test/support/replay/checked-run.fixture.js'
import type { ScenarioInput } from '../../story/format/scenario.js'

const hook = 'http://agent.test/hook'
const threads = '/mail/threads?agent=support&limit=1'

function open(timeline: ScenarioInput['timeline'], webhooks: ScenarioInput['webhooks'] = []) {
  return openRun({ timeline, webhooks })
}

describe('the outcomes of a sent message', () => {
  const when = { sent: { to: 'bo@gone.example' } }
  const deliver = { when, deliver: { message: 'sent' } } as const
  const bounce = { when: { ...when, after: '10s' }, bounce: { message: 'sent' } } as const

  it.each([
    ['delivered first', [deliver, bounce]],
    ['bouncing first', [bounce, deliver]],
  ] as const)('may be two, %s', async (_, timeline) => {
    const run = await openRun({ extend: [common], timeline: [...timeline] })
    const body = JSON.stringify({ agent: 'support', to: 'bo@gone.example', subject: 'Hi', text: 'Hi' })
    await run.ask('/mail/messages', { method: 'POST', body })
    await run.pass('1m')
    const played = run.simulator.timeline.played().map(({ problem }) => problem)
    expect(played).toEqual([null, null])
    expect(run.simulator.view.world.triggers.neverHappened()).toEqual([])
  })

  it('are not the same twice, and what never happened is known', async () => {
    const waiting = {
      when: { request: 'threads.list', nth: 9 },
      update: { identity: 'support', display_name: 'x' },
    } as const
    const branch = {
      when: { sent: { to: 'di@example.com' } },
      receive: { in_reply_to: 'sent', text: 'Yes.' },
    } as const
    const timeline = [
      { key: 'one', ...bounce },
      { key: 'two', ...bounce },
      { key: 'nine', ...waiting },
      branch,
    ]
    const run = await openRun({ extend: [common], timeline })
    const body = JSON.stringify({ agent: 'support', to: 'bo@gone.example', subject: 'Hi', text: 'Hi' })
    await run.ask('/mail/messages', { method: 'POST', body })
    await run.pass('1m')
    expect(run.simulator.view.world.triggers.neverHappened()).toEqual([
      { name: 'two', why: '"one" waits for the same mail, and took it' },
      { name: 'nine', why: 'it waits for number 9 of threads.list, and none came' },
    ])
  })
})

describe('an entry triggered by a request', () => {
  it('is played once, right before the request gets its response', async () => {
    const run = await open([
      {
        when: { request: 'threads.list', nth: 2 },
        receive: { to: 'support', subject: 'News', text: 'Now.' },
      },
    ])
    await run.ask(threads)
    await run.ask('/identities/support')
    const subjects = () => run.simulator.threads.list({ agent: 'support' }).map(({ subject }) => subject)
    expect(subjects()).not.toContain('News')
    await run.ask(threads)
    await run.ask(threads)
    expect(subjects().filter((subject) => subject === 'News')).toHaveLength(1)
    const shown = run.simulator.journal.exchanges().map(({ response }) => response.body?.includes('News'))
    expect(shown.slice(0, 3)).toEqual([false, false, true])
    expect(run.simulator.timeline.played()).toMatchObject([
      { name: 'threads.list 2 receive', problem: null, triggered: true },
    ])
  })

  it('is not triggered before its time, if it has one', async () => {
    const when = { request: 'threads.list', nth: 2 } as const
    const update = { identity: 'support', display_name: 'Late' }
    const run = await open([
      { after: '10s', when, update },
      { at: '2026-01-05T09:00:20Z', when, update },
    ])
    const played = () => run.simulator.timeline.played().length
    for (let time = 0; time < 3; time++) await run.ask(threads)
    await run.pass('10s')
    await run.ask(threads)
    expect(played()).toBe(0)
    await run.ask(threads)
    expect(played()).toBe(1)
    const snapshot = JSON.parse(JSON.stringify(run.simulator.snapshot()))
    run.simulator.restore(snapshot)
    await run.pass('10s')
    await run.ask(threads)
    expect(played()).toBe(1)
    await run.ask(threads)
    await run.ask(threads)
    expect(played()).toBe(2)
  })

  it('keeps its count in a restored world and restarts it at a reset', async () => {
    const run = await open([
      { when: { request: 'threads.list', nth: 2 }, update: { identity: 'support', display_name: 'Late' } },
    ])
    const name = () => run.simulator.identities.get('support').display_name
    await run.ask(threads)
    const snapshot = JSON.parse(JSON.stringify(run.simulator.snapshot()))
    await run.ask(threads)
    expect(name()).toBe('Late')
    run.simulator.reset()
    await run.ask(threads)
    expect(name()).not.toBe('Late')
    run.simulator.restore(snapshot)
    await run.ask(threads)
    expect(name()).toBe('Late')
  })

  it('receives mail in the oldest thread, which has place -1', async () => {
    const run = await open([
      {
        when: { request: 'identities.get' },
        receive: { to: 'support', place: -1, from: 'Bo <bo@a.example>', text: '!' },
      },
    ])
    const oldest = run.simulator.threads.list({ agent: 'support' }).at(-1)?.id
    await run.ask('/identities/support')
    expect(run.simulator.threads.list({ agent: 'support' })[0]).toMatchObject({
      id: oldest,
      message_count: 2,
    })
  })
})

describe('mail triggered by a request', () => {
  it('repeats the latest message of a thread with "again"', async () => {
    const eml =
      'From: Ann <ann@a.example>\nTo: support@agents.example\nMessage-ID: <1@a.example>\nSubject: Hello\n\nHi.'
    const run = await open([
      { when: { request: 'identities.get' }, receive: { to: 'support', place: 1, again: true } },
    ])
    const { thread } = await run.simulator.mail.receive({ eml })
    await run.ask('/identities/support')
    const [first, again] = run.simulator.mailbox.conversation(thread.id).messages
    expect(again).toMatchObject({ text: first?.text, from: 'Ann <ann@a.example>', subject: 'Hello' })
    expect(again?.id).not.toBe(first?.id)
  })

  it('is repeated immediately', async () => {
    const run = await open([
      {
        when: { request: 'threads.list' },
        repeat: { times: 3 },
        receive: { to: 'support', subject: 'News', text: '!' },
      },
    ])
    const before = run.simulator.threads.list({ agent: 'support' }).length
    await run.ask(threads)
    expect(run.simulator.threads.list({ agent: 'support' })).toHaveLength(before + 3)
  })

  it.each([
    [
      { repeat: { times: 2, every: '1s' }, receive: { to: 'support', text: '!' } },
      'happen simultaneously; leave out "every"',
    ],
    [
      { repeat: { times: 2 }, assume: { 'threads.total': 'page-size' } },
      '"repeat" with "when" is only for mail',
    ],
    [{ receive: { to: 'support', subject: 'A', again: true } }, '"again" needs "place"'],
    [{ receive: { to: 'support', place: 1, again: true, text: 'B' } }, 'leave out text, html and eml'],
  ] as const)('refuses %j', async (entry, problem) => {
    await expect(open([{ when: { request: 'threads.list' }, ...entry }])).rejects.toThrow(problem)
  })
})

describe('mail of a timeline', () => {
  it('delays its event, even after that of later mail', async () => {
    const run = await openRun({
      timeline: [
        { after: '1s', event_delay: '10s', receive: { thread: 'parcel', text: 'First' } },
        { after: '2s', receive: { thread: 'parcel', text: 'Second' } },
      ],
      webhooks: [{ url: hook, events: ['message.received'] }],
    })
    run.simulator.webhooks.on(hook, () => undefined)
    await run.pass('5s')
    const snapshot = JSON.parse(JSON.stringify(run.simulator.snapshot()))
    await run.pass('6s')
    const delays = () =>
      run.simulator.deliveries.list().map(({ event, attempts }) => {
        return attempts.map(({ at }) => Date.parse(at) - Date.parse(event.at))
      })
    expect(delays()).toEqual([[10_000], [0]])
    // A delayed event survives a snapshot.
    run.simulator.restore(snapshot)
    expect(run.simulator.deliveries.list().map(({ status }) => status)).toEqual(['pending'])
    await run.pass('6s')
    expect(delays()).toEqual([[10_000]])
  })

  it('can have an earlier date or be given as a raw message', async () => {
    const answer = 'Subject: Re: Lamp\nMessage-ID: <2@a.example>\nIn-Reply-To: <1@a.example>\n\nHere.'
    const asked = 'Subject: Lamp\nMessage-ID: <1@a.example>\n\nWhere?'
    const run = await open([
      { after: '1s', receive: { to: 'support', at: '-400d', subject: 'Old', text: '?' } },
      { after: '2s', receive: { to: 'support', from: 'Ann <ann@a.example>', eml: answer } },
      { after: '3s', receive: { to: 'support', from: 'Ann <ann@a.example>', eml: asked } },
    ])
    await run.pass('5s')
    const mails = run.simulator.threads.list({ agent: 'support' })
    expect(mails[0]).toMatchObject({ subject: 'Re: Lamp', message_count: 2 })
    const sent = Date.parse(mails.at(-1)?.last_message_at ?? '')
    expect([mails.at(-1)?.subject, run.simulator.start]).toEqual([
      'Old',
      new Date(sent + 400 * 86_400_000).toISOString(),
    ])
  })

  it('is the only entry that accepts event_delay, with outcomes', async () => {
    const update = { identity: 'support', display_name: 'A' }
    await expect(open([{ after: '1s', event_delay: '1s', update }])).rejects.toThrow(
      '"event_delay" is only for mail and its outcomes',
    )
  })
})

describe('an entry triggered by a delivery', () => {
  it('redelivers the event', async () => {
    const bodies: string[] = []
    const run = await openRun({
      timeline: [
        { after: '1s', receive: { thread: 'parcel', text: 'Here?' } },
        { when: { delivery: 'message.received' }, redeliver: { event: 'message.received' } },
        { after: '5s', redeliver: { event: 'message.received', nth: 7 } },
      ],
      webhooks: [{ url: hook, events: ['message.received'] }],
    })
    run.simulator.webhooks.on(hook, async (request) => {
      bodies.push(await request.text())
    })
    await run.pass('10s')
    expect(bodies).toHaveLength(2)
    expect(bodies[0]).toBe(bodies[1])
    expect(run.simulator.timeline.played().at(-1)?.problem).toBe(
      'There is no delivery number 7 of message.received yet.',
    )
  })

  it('counts a delivery once, even if it is redelivered', async () => {
    const run = await openRun({
      timeline: [
        { after: '1s', receive: { thread: 'parcel', text: 'Here?' } },
        { after: '2s', redeliver: { event: 'message.received' } },
        {
          when: { delivery: 'message.received', nth: 2 },
          update: { identity: 'support', display_name: 'Second' },
        },
        { after: '5s', receive: { thread: 'parcel', text: 'Hello?' } },
      ],
      webhooks: [{ url: hook, events: ['message.received'] }],
    })
    run.simulator.webhooks.on(hook, () => undefined)
    const name = () => run.simulator.identities.get('support').display_name
    await run.pass('4s')
    expect(run.simulator.deliveries.list()[0]?.attempts).toHaveLength(2)
    expect(name()).not.toBe('Second')
    await run.pass('4s')
    expect(name()).toBe('Second')
  })
})
