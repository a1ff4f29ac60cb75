import { describe, expect, it } from 'vitest'
import common from '../../../../extensions/common.js'
import { openRun } from '../../../../test/support/replay/checked-run.fixture.js'
import { ann, type Desk, openDesk } from '../../../../test/support/replay/sending-desk.fixture.js'
import type { InvariantName } from '../invariant.js'

const hook = 'http://agent.test/hook'

type Case = readonly [name: string, found: string, act: (desk: Desk) => Promise<unknown>]

/** Judges an agent by an invariant; what it found is empty if the agent kept it. */
function judged(invariant: InvariantName, cases: readonly Case[]): void {
  describe(invariant, () => {
    it.each(cases)('%s: %s', async (_, found, act) => {
      const desk = await openDesk([invariant])
      await act(desk)
      expect(desk.broken()[invariant] ?? '').toBe(found)
    })
  })
}

/** Fails a request so many times, with these pauses between the tries, the last of which is repeated. */
async function fails(
  { run, simulator }: Pick<Desk, 'run' | 'simulator'>,
  times: number,
  ...pauses: string[]
) {
  simulator.faults.add({ operation: 'threads.list', status: 503, times })
  for (let time = 0; time < times; time++) {
    await run.ask('/mail/threads')
    await run.pass(pauses[Math.min(time, pauses.length - 1)] as string)
  }
}

const tooOften = 'a request sent 11 times while it failed, without longer pauses'

judged('backs-off', [
  ['tries again as often as before', tooOften, (desk) => fails(desk, 11, '10s')],
  ['tries again a few times', '', (desk) => fails(desk, 8, '10s')],
  [
    'tries again a few times, and again after a success',
    '',
    async (desk) => {
      for (const _ of [1, 2, 3]) {
        await fails(desk, 8, '10s')
        await desk.run.ask('/mail/threads')
      }
    },
  ],
  [
    'waits ever longer, up to a minute',
    '',
    (desk) => fails(desk, 30, '1s', '2s', '4s', '8s', '16s', '32s', '60s'),
  ],
  [
    'polls while the service fails as it does otherwise',
    '',
    async (desk) => {
      for (const _ of [1, 2]) {
        await desk.run.ask('/mail/threads')
        await desk.run.pass('20s')
      }
      await fails(desk, 30, '20s')
    },
  ],
  [
    'tries a refused reply again and again',
    'a request sent 11 times while it failed, without longer pauses',
    async ({ run, simulator, get, reply }) => {
      const { id } = await get()
      simulator.faults.add({ operation: 'messages.reply', status: 422 })
      for (let time = 0; time < 20; time++) {
        await run.ask('/mail/threads')
        await reply(id)
        await run.pass('20s')
      }
    },
  ],
  [
    'gives up each refused reply',
    '',
    async ({ reply }) => {
      for (let time = 0; time < 20; time++) await reply(`msg_${time}`)
    },
  ],
  [
    'repeats a request before its Retry-After is over',
    'a request repeated 1s after a response 429 that asked to wait 30s',
    async ({ run, simulator }) => {
      simulator.faults.add({ operation: 'threads.list', status: 429, retry_after: 30, times: 1 })
      await run.ask('/mail/threads')
      await run.pass('1s')
      await run.ask('/mail/threads')
    },
  ],
  [
    'repeats it when it is over',
    '',
    async ({ run, simulator }) => {
      simulator.faults.add({ operation: 'threads.list', status: 503, retry_after: '2s', times: 2 })
      await run.ask('/mail/threads')
      await run.ask('/mail/threads?limit=1')
      await run.pass('2s')
      for (const path of ['threads', 'threads?limit=1', 'threads']) await run.ask(`/mail/${path}`)
    },
  ],
])

it('backs-off accepts a repeat for a delivery that comes again', async () => {
  const run = await openRun({
    timeline: [
      { after: '0s', fault: { operation: 'threads.list', status: 503, retry_after: '60s', times: 3 } },
      { after: '1s', receive: { thread: 'parcel', text: 'Here?' } },
      { when: { delivery: 'message.received' }, redeliver: { event: 'message.received' } },
    ],
    webhooks: [{ url: hook, events: ['message.received'] }],
    expect: [{ invariant: 'backs-off' }],
  })
  run.simulator.webhooks.on(hook, async () => {
    await run.ask('/mail/threads')
    return new Response(null, { status: 500 })
  })
  await run.pass('30s')
  expect(run.simulator.journal.exchanges().length).toBeGreaterThan(1)
  expect(run.passed()).toEqual([true])
})

it.each([
  [[500, 500, 200], ''],
  [[500], 'message.received was not accepted in 6 attempts'],
] as const)('accepts-events: judges a receiver that responds %j', async (statuses, found) => {
  const { run, broken, simulator } = await openDesk(['accepts-events'], {
    webhooks: [{ url: hook, events: ['message.received'] }],
    timeline: [{ after: '1s', receive: { thread: 'parcel', text: 'Here?' } }],
  })
  let attempt = 0
  simulator.webhooks.on(hook, () => {
    return new Response(null, { status: statuses[Math.min(attempt++, statuses.length - 1)] as number })
  })
  await run.pass('3d')
  expect(broken()['accepts-events'] ?? '').toBe(found)
})

describe('changes-nothing-else', () => {
  it('accepts only the listed writes', async () => {
    const write = 'PATCH /api/v1/identities/support {"display_name":"Busy"}'
    const run = await openRun({ expect: [{ invariant: 'changes-nothing-else', writes: [write] }] })
    await run.rename('Busy')
    await run.ask('/mail/threads')
    await run.ask('/identities/nobody', { method: 'PATCH', body: '{"display_name":"Gone"}' })
    expect(run.passed()).toEqual([true])
    await run.rename('Gone')
    expect(run.result().found).toBe(
      'an unexpected write: PATCH /api/v1/identities/support {"display_name":"Gone"}',
    )
  })

  it('without a list, accepts the writes that other expectations are about', async () => {
    const expecting = await openRun({
      extend: [common],
      expect: [
        { invariant: 'changes-nothing-else' },
        { sent: { to: ann, text: '/Done/' }, at_least: 1 },
        { identity: 'support', has: { display_name: 'Busy' } },
      ],
    })
    const post = (text: string) =>
      expecting.ask('/mail/messages', {
        method: 'POST',
        body: JSON.stringify({ agent: 'support', to: ann, subject: 'Hello', text }),
      })
    await expecting.rename('Busy')
    await post('Done')
    expect(expecting.result().passed).toBe(true)
    await post('Bye')
    expect(expecting.result().found).toMatch(/^an unexpected write: POST \/api\/v1\/mail\/messages /)
  })
})

const unread = `an answer to ${ann}, whose message was not read`

judged('reads-before-it-answers', [
  [
    'a message that it knows from its thread alone',
    unread,
    async ({ run, reply, receive }) => {
      const { id } = await receive({})
      await run.ask('/mail/threads?agent=support')
      await reply(id)
    },
  ],
  [
    'a thread of which it has read nothing',
    unread,
    async ({ send, receive }) => {
      await send({ thread_id: (await receive({})).thread_id })
    },
  ],
  ['a message that it has listed', '', async ({ reply, get }) => reply((await get()).id)],
  [
    'a message whose bytes it has read',
    '',
    async ({ run, reply, receive }) => {
      const { id } = await receive({})
      await run.ask(`/mail/messages/${id}/raw`)
      await reply(id)
    },
  ],
  ['mail of its own', '', ({ send }) => send({})],
])

judged('answers-everyone', [
  [
    'one of two people',
    'no answer to dan@mail.example',
    async ({ reply, receive }) => {
      await receive({ from: 'Dan <dan@mail.example>' })
      await reply((await receive({})).id)
    },
  ],
  [
    'mail that had come before',
    'no answer to dan@mail.example',
    async ({ send, receive }) => {
      await send({ to: 'dan@mail.example' })
      await receive({ from: 'Dan <dan@mail.example>' })
    },
  ],
  [
    'mail that it had not read when it answered earlier mail of the person',
    'no answer to ann@mail.example',
    async ({ reply, get, receive }) => {
      const { id } = await get()
      await receive({})
      await reply(id)
    },
  ],
  [
    'mail that it has read after it answered earlier mail of the person',
    '',
    async ({ reply, get, receive, run }) => {
      const { id } = await get()
      const { thread_id } = await receive({})
      await reply(id)
      await run.ask(`/mail/messages?thread_id=${thread_id}`)
    },
  ],
  [
    'everybody but a program',
    '',
    async ({ reply, send, receive }) => {
      await reply((await receive({})).id)
      await receive({ from: 'Dan <dan@mail.example>', replyTo: 'dan@home.example' })
      await send({ to: 'Dan <DAN@home.example>' })
      await receive({ from: 'news@mail.example', headers: { 'List-Id': '<news.mail.example>' } })
    },
  ],
])

it('answers-everyone names an answer that went to somebody else', async () => {
  const { run, reply, get } = await openDesk(['answers-everyone'])
  await reply((await get()).id)
  const { id } = await get({ from: 'dan@mail.example' })
  await reply(id, { to: ann })
  expect(run.lines().slice(2)).toEqual([
    expect.stringMatching(
      /^found the answer to dan@mail\.example went to ann@mail\.example \(request \d+\)$/,
    ),
    'nearest dan@mail.example, who wrote to support, no exchange, 0s',
    '  1 of 2 who wrote were answered',
  ])
})

it('answers-everyone judges named people by mail that was there from the start, unless somebody replied to it', async () => {
  const broken = async (people: string[], writesAgain = false) => {
    const from = (name: string, more: object[] = []) => ({
      messages: [{ from: `${name}@mail.example`, text: 'Hello?' }, ...more],
    })
    const run = await openRun({
      extend: [common],
      identities: [
        {
          handle: 'support',
          threads: [
            from('dan'),
            from('eve', [{ direction: 'outbound', text: 'Yes.' }]),
            from('ida', [{ from: 'jon@mail.example', text: 'And I?' }]),
          ],
        },
      ],
      expect: [{ invariant: 'answers-everyone', people }],
    })
    if (writesAgain)
      await run.simulator.mail.receive({ to: 'support', from: 'dan@mail.example', text: 'Hello?' })
    return run.checker.results().map(({ passed, found }) => (passed ? '' : found))
  }
  expect(await broken(['dan@mail.example'], true)).toEqual(['no answer to dan@mail.example'])
  expect(await broken(['dan@mail.example', 'eve@mail.example'])).toEqual(['no answer to dan@mail.example'])
  expect(await broken(['ida@mail.example'])).toEqual(['no answer to ida@mail.example'])
  expect(await broken(['*@mail.example'])).toEqual([''])
})

it('answers-everyone names the time of the mail that has no answer', async () => {
  const run = await openRun({
    identities: [{ handle: 'support' }],
    expect: [{ invariant: 'answers-everyone' }],
  })
  const since = new Date(run.simulator.clock.now()).toISOString()
  await run.simulator.mail.receive({ to: 'support', from: 'dan@mail.example', text: 'Hello?' })
  await run.simulator.clock.advance('1h')
  expect(run.checker.results().map(({ nearest }) => nearest?.at)).toEqual([since])
})

it('accepts-events says nothing where no event was delivered', async () => {
  const { run } = await openDesk(['accepts-events'])
  expect(run.result()).toMatchObject({ passed: true, unjudged: 'no event was delivered' })
})
