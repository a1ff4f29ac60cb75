import { describe, expect, it } from 'vitest'
import { ask, createDesk, failure } from '../../test/support/simulator/asked-desk.js'
import { gaps } from '../contract/gaps.js'
import { mailboxMatchers } from './matchers.js'

expect.extend(mailboxMatchers)

const threads = '/api/v1/mail/threads?agent=support'

describe('toHaveReliedOnlyOn', () => {
  it('checks the reliances of all requests', async () => {
    const desk = await createDesk()
    await ask(desk, '/api/v1/identities/support')
    expect(desk).toHaveReliedOnlyOn(['format.timestamps'])
    expect(desk).not.toHaveReliedOnlyOn([])
    await ask(desk, threads)
    expect(desk).not.toHaveReliedOnlyOn(['format.timestamps'])
    expect(desk).toHaveReliedOnlyOn([
      'format.timestamps',
      'threads.order',
      'threads.total',
      'threads.snippet',
    ])
  })

  it('shows reading, count, operations and advice for each other gap', async () => {
    const desk = await createDesk()
    await ask(desk, threads)
    await ask(desk, threads)
    desk.readings.set({ 'threads.total': 'page-size' })
    await ask(desk, threads)
    const allowed = ['format.timestamps', 'threads.snippet'] as const
    expect(failure(() => expect(desk).toHaveReliedOnlyOn(allowed))).toBe(
      [
        'Expected requests that rely on no gap but format.timestamps, threads.snippet; they rely on 2 other gaps:',
        '  threads.order, read last-message-desc, in 3 requests of threads.list',
        `      ${gaps['threads.order'].advice}`,
        '  threads.total, read all-matches, in 2 requests of threads.list',
        `      ${gaps['threads.total'].advice}`,
        '  threads.total, read page-size, in 1 request of threads.list',
        `      ${gaps['threads.total'].advice}`,
      ].join('\n'),
    )
  })

  it('shows the allowed gaps if there are no others', async () => {
    const desk = await createDesk()
    await ask(desk, '/api/v1/identities/support')
    expect(failure(() => expect(desk).not.toHaveReliedOnlyOn(['format.timestamps']))).toBe(
      [
        'Expected requests that rely on other gaps than format.timestamps; they rely on no other:',
        '  format.timestamps, read milliseconds, in 1 request of identities.get',
      ].join('\n'),
    )
  })

  it('includes received deliveries but not captured ones', async () => {
    const desk = await createDesk()
    const url = 'http://agent.test/hook'
    desk.webhooks.create({ url, events: ['message.received'] })
    await desk.mail.receive({ to: 'support', text: 'Any news?' })
    await desk.waitFor({ delivery: 'message.received', status: 'captured' })
    expect(desk.reliances()).toEqual([])
    await ask(desk, '/api/v1/identities/support')
    expect(desk).toHaveReliedOnlyOn(['format.timestamps'])
    desk.webhooks.on(url, () => undefined)
    await desk.mail.receive({ to: 'support', text: 'Hello?' })
    await desk.waitFor({ delivery: 'message.received', status: 'succeeded' })
    const text = failure(() => expect(desk).toHaveReliedOnlyOn([]))
    expect(text).toContain('  events.envelope, read id-event-data, in 1 delivery of message.received\n')
    expect(text).toContain(
      '  format.timestamps, read milliseconds, in 2 requests and deliveries of identities.get, message.received\n',
    )
  })

  it('fails without any request', async () => {
    const desk = await createDesk()
    expect(failure(() => expect(desk).toHaveReliedOnlyOn(['threads.total']))).toBe(
      'Expected requests that rely on no gap but threads.total. No request has come to world_1; does the client ' +
        'use mailbox.baseUrl and mailbox.apiKey?',
    )
    expect(failure(() => expect(desk).toHaveReliedOnlyOn(['thread.total' as never]))).toBe(
      'There is no gap "thread.total"; did you mean "threads.total"?',
    )
  })
})
