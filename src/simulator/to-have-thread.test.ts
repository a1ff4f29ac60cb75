import { describe, expect, it } from 'vitest'
import { createDesk, failure } from '../../test/support/simulator/asked-desk.js'
import { mailboxMatchers } from './matchers.js'

expect.extend(mailboxMatchers)

describe('toHaveThread', () => {
  it('finds a thread by its fields', async () => {
    const desk = await createDesk()
    expect(desk).toHaveThread({ subject: 'Refund for order 4711' })
    expect(desk).toHaveThread({ subject: /refund/i, unread: true, message_count: 1 })
    expect(desk).toHaveThread({ agent: '@sales', last_message_at: expect.stringMatching(/^2026-01-05/) })
    expect(desk).not.toHaveThread({ subject: /refund/i, unread: false })
    expect(desk).not.toHaveThread({ agent: 'sales', subject: /refund/i })
    expect(desk).not.toHaveThread({ message_count: expect.any(String) })
  })

  it('sees later changes', async () => {
    const desk = await createDesk()
    const { thread } = await desk.mail.receive({ to: 'sales', subject: 'News' })
    expect(desk).toHaveThread({ id: thread.id, agent: 'sales', unread: true })
    desk.threads.markRead(thread.id)
    expect(desk).toHaveThread({ id: thread.id, unread: false })
  })

  it('shows the nearest threads', async () => {
    const desk = await createDesk()
    const text = failure(() => expect(desk).toHaveThread({ subject: 'Refund for order 4712', unread: true }))
    expect(text.replace(/thrd_\w+/g, 'thrd')).toBe(
      [
        'Expected a thread with subject "Refund for order 4712" and unread true.',
        '3 threads, none of that kind; the nearest first:',
        '  ✗ "Refund for order 4711" (thrd: unread, 1 message, last 2026-01-05T07:00:00.000Z)',
        '      subject: expected "Refund for order 4712", found "Refund for order 4711"',
        '  ✗ "A quote for ten chairs" (thrd: unread, 1 message, last 2026-01-05T06:00:00.000Z)',
        '      subject: expected "Refund for order 4712", found "A quote for ten chairs"',
        '  ✗ "Where is my parcel?" (thrd: read, 1 message, last 2026-01-05T08:00:00.000Z)',
        '      subject: expected "Refund for order 4712", found "Where is my parcel?"',
        '      unread: expected true, found false',
      ].join('\n'),
    )
  })

  it('shows the unexpected threads', async () => {
    const desk = await createDesk()
    const text = failure(() => expect(desk).not.toHaveThread({ agent: 'support', unread: true }))
    expect(text.replace(/thrd_\w+/g, 'thrd')).toBe(
      [
        'Expected no thread of support with unread true.',
        '1 thread of that kind:',
        '  ✓ "Refund for order 4711" (thrd: unread, 1 message, last 2026-01-05T07:00:00.000Z)',
      ].join('\n'),
    )
  })

  it('shows that an agent has no thread', async () => {
    const desk = await createDesk()
    desk.identities.create({ handle: 'eva' })
    expect(failure(() => expect(desk).toHaveThread({ agent: 'eva', subject: /./ }))).toBe(
      'Expected a thread of eva with subject /./. There is no thread of eva at all.',
    )
  })

  it('refuses unknown agents and fields', async () => {
    const desk = await createDesk()
    expect(failure(() => expect(desk).toHaveThread({ agent: 'suport' }))).toBe(
      'There is no agent "suport" in this world; did you mean "support"?',
    )
    expect(failure(() => expect(desk).toHaveThread({ sbject: 'x' } as never))).toBe(
      'A thread has no "sbject"; did you mean "subject"?',
    )
  })
})

it('masks the secrets of the world in error messages', async () => {
  const sim = await createDesk()
  sim.webhooks.create({
    url: 'http://agent.test/hook',
    events: ['message.received'],
    authToken: 'hook-secret-4711',
  })
  await sim.mail.receive({ to: 'sales', subject: 'Your token is hook-secret-4711', text: 'Hello' })
  const message = failure(() => expect(sim).toHaveThread({ subject: 'Your token' }))
  expect(message).toContain('"Your token is ***"')
  expect(message).not.toContain('hook-secret')
  await expect(
    sim.waitFor(
      { thread: sim.threads.list({ agent: 'sales' })[0]?.id ?? '', has: { subject: 'x' } },
      { timeout: '0ms' },
    ),
  ).rejects.toThrow(/found "Your token is \*\*\*"/)
})
