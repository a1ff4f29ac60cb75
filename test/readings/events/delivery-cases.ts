import { expect } from 'vitest'
import { type Answers, answerAfter, type Desk, type HookName, hooks } from './desk.js'
import type { EventCases, Happen } from './event-case.js'

/** Receives mail for eva, whose receiver answers in this way. */
function mailForEva(answers: Answers, duration = '48h'): Happen {
  return async (desk) => {
    onlyEva(desk)
    desk.answer('eva', answers)
    await desk.receive('eva')
    await desk.advance(duration)
  }
}

/** Leaves the subscription of eva alone. */
function onlyEva({ simulator }: Desk): void {
  for (const { id, url } of simulator.webhooks.list()) if (url !== hooks.eva) simulator.webhooks.delete(id)
}

/** The times in seconds of the story at which a receiver got its requests. */
function instants({ received }: Desk, name: HookName = 'eva'): number[] {
  return received[name].map(({ at }) => at)
}

/** Returns the deliveries to eva. */
function statuses({ simulator }: Desk): string[] {
  return simulator.deliveries.list({ url: hooks.eva }).map(({ status }) => status)
}

/** Returns the ids of the messages that a receiver was notified of. */
function messages(desk: Desk, name: HookName = 'eva'): unknown[] {
  return desk.bodies(name).map(({ data }) => (data as { message_id: string }).message_id)
}

/** Receives several mails for eva at once. */
function manyForEva(count: number): Happen {
  return async (desk) => {
    onlyEva(desk)
    for (let number = 0; number < count; number++) await desk.receive('eva', `Mail ${number}`)
    await desk.advance('1m')
  }
}

/** Receivers that answer after these numbers of seconds. */
const slowly: Happen = async (desk) => {
  onlyEva(desk)
  const seconds = [3, 7, 12, 20, 40]
  desk.answer('eva', (n) => answerAfter(seconds[n] ?? 0))
  for (const _ of seconds) await desk.receive('eva')
  await desk.pass(200)
}

const asking = (status: number, asked: string): Response => {
  return new Response(null, { status, headers: { 'retry-after': asked } })
}

type Gaps =
  | 'events.retries'
  | 'events.retry-after'
  | 'events.gone'
  | 'events.timeout'
  | 'events.success'
  | 'events.duplicates'
  | 'events.order'
  | 'events.bounced-sender'

/** How receivers meet the gaps of the times, numbers and receivers of deliveries. */
export const deliveryCases: Pick<EventCases, Gaps> = {
  'events.retries': {
    happen: mailForEva(() => 500),
    sees: {
      'exponential-5': (desk) => {
        const waits = instants(desk).map((at, index, all) => at - (all[index - 1] ?? 0))
        expect(waits).toHaveLength(6)
        for (const [index, wait] of waits.slice(1).entries()) {
          expect(wait / (10 * 4 ** index)).toBeGreaterThanOrEqual(1)
          expect(wait / (10 * 4 ** index)).toBeLessThan(1.11)
        }
        expect(statuses(desk)).toEqual(['failed'])
      },
      none: (desk) => {
        expect(instants(desk)).toEqual([0])
        expect(statuses(desk)).toEqual(['failed'])
      },
      svix: (desk) => {
        expect(instants(desk)).toEqual([0, 5, 305, 2105, 9305, 27_305, 63_305, 99_305])
        expect(statuses(desk)).toEqual(['failed'])
      },
    },
    quiet: [mailForEva(() => 200)],
  },
  'events.retry-after': {
    readings: { 'events.retries': 'svix' },
    happen: mailForEva((n) => (n === 0 ? asking(503, '120') : 200)),
    sees: {
      ignored: (desk) => expect(instants(desk)).toEqual([0, 5]),
      honoured: (desk) => expect(instants(desk)).toEqual([0, 120]),
    },
    quiet: [
      mailForEva((n) => (n === 0 ? 503 : 200)),
      mailForEva((n) => (n === 0 ? asking(503, 'soon') : 200)),
      mailForEva((n) => (n === 0 ? asking(503, '5') : 200)),
      mailForEva(() => asking(200, '120')),
    ],
  },
  'events.gone': {
    readings: { 'events.retries': 'svix' },
    happen: async (desk) => {
      await mailForEva((n) => (n === 0 ? 410 : 200))(desk)
      await desk.receive('eva')
      await desk.advance('48h')
    },
    sees: {
      retried: (desk) => {
        expect(instants(desk)).toEqual([0, 5, 48 * 3600])
        expect(statuses(desk)).toEqual(['succeeded', 'succeeded'])
      },
      final: (desk) => {
        expect(instants(desk)).toEqual([0, 48 * 3600])
        expect(statuses(desk)).toEqual(['failed', 'succeeded'])
      },
    },
    quiet: [mailForEva((n) => (n === 0 ? 404 : 200)), mailForEva(() => 200)],
  },
  'events.timeout': {
    readings: { 'events.retries': 'none' },
    happen: slowly,
    sees: {
      '10s': (desk) => expectTimedOut(desk, [false, false, true, true, true], 10),
      '5s': (desk) => expectTimedOut(desk, [false, true, true, true, true], 5),
      '15s': (desk) => expectTimedOut(desk, [false, false, false, true, true], 15),
      '30s': (desk) => expectTimedOut(desk, [false, false, false, false, true], 30),
    },
    quiet: [
      async (desk) => {
        desk.answer('eva', () => answerAfter(3))
        await desk.receive('eva')
        await desk.pass(60)
      },
      mailForEva(() => 500),
    ],
  },
  'events.success': {
    readings: { 'events.retries': 'none' },
    happen: async (desk) => {
      const answers = [200, 204, Response.redirect(hooks.max), 299, 300, 500]
      desk.answer('eva', (n) => answers[n] ?? 200)
      await manyForEva(answers.length)(desk)
    },
    sees: {
      '2xx': (desk) => {
        expect(statuses(desk)).toEqual(['succeeded', 'succeeded', 'failed', 'succeeded', 'failed', 'failed'])
        expect(desk.received.max).toEqual([])
      },
      '200-only': (desk) => {
        expect(statuses(desk)).toEqual(['succeeded', 'failed', 'failed', 'failed', 'failed', 'failed'])
        expect(desk.received.max).toEqual([])
      },
    },
    quiet: [mailForEva(() => 200), mailForEva(() => 302), mailForEva(() => 500)],
  },
  'events.duplicates': {
    happen: manyForEva(10),
    sees: {
      'exactly-once': (desk) => {
        expect(messages(desk)).toHaveLength(10)
        expect(new Set(messages(desk)).size).toBe(10)
      },
      'occasional-duplicate': (desk) => {
        expect(messages(desk).length).toBeGreaterThan(10)
        expect(new Set(desk.bodies('eva').map(({ id }) => id)).size).toBe(10)
        expect(new Set(desk.received.eva.map(({ text }) => text)).size).toBe(10)
      },
    },
    quiet: [mailForEva(() => 500)],
  },
  'events.order': {
    happen: manyForEva(10),
    sees: {
      'in-order': (desk) => expect(messages(desk)).toEqual(happened(desk)),
      shuffled: (desk) => {
        expect(messages(desk)).not.toEqual(happened(desk))
        expect(messages(desk).toSorted()).toEqual(happened(desk).toSorted())
      },
    },
    quiet: [
      manyForEva(1),
      async (desk) => {
        for (let second = 0; second < 5; second++) {
          await desk.receive('eva')
          await desk.advance('1s')
        }
      },
    ],
  },
  'events.bounced-sender': {
    happen: async (desk) => {
      await desk.outcome('eva', 'bounced')
      await desk.outcome('eva', 'delivered')
      await desk.advance('1m')
    },
    sees: {
      'sending-agent': (desk) => expect(told(desk)).toEqual({ all: 2, eva: 2, max: 0, bounces: 1 }),
      organization: (desk) => expect(told(desk)).toEqual({ all: 2, eva: 2, max: 2, bounces: 1 }),
    },
    quiet: [
      async (desk) => {
        await desk.receive('eva')
        await desk.advance('1m')
      },
      async (desk) => {
        onlyEva(desk)
        await desk.outcome('eva', 'bounced')
        await desk.advance('1m')
      },
    ],
  },
}

/** The number of requests of each receiver. */
function told({ received }: Desk): Record<string, number> {
  return Object.fromEntries(Object.entries(received).map(([name, { length }]) => [name, length]))
}

/** The ids of messages in order of arrival. */
function happened({ simulator }: Desk): string[] {
  return simulator.deliveries.list({ url: hooks.eva }).map(({ message_id }) => message_id)
}

function expectTimedOut({ simulator }: Desk, timedOut: boolean[], seconds: number): void {
  const deliveries = simulator.deliveries.list({ url: hooks.eva })
  expect(deliveries.map(({ status }) => status === 'failed')).toEqual(timedOut)
  for (const { status, attempts } of deliveries) {
    expect(attempts).toHaveLength(1)
    if (status !== 'failed') continue
    expect(attempts[0]).toMatchObject({ duration_ms: seconds * 1000, error: { code: 'timeout' } })
  }
}
