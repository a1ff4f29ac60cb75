import { type DeliveryContext, deliveryConstraints } from '../../src/calibrate/deliveries.js'
import { verifySignature } from '../../src/calibrate/delivery-shape.js'
import { type Candidates, type Elimination, eliminate } from '../../src/calibrate/elimination.js'
import { DeliveryPlan, needs204 } from '../../src/calibrate/listening.js'
import type { ReceivedAttempt } from '../../src/calibrate/receiver.js'
import { gapIds } from '../../src/contract/gaps.js'
import type { Simulator } from '../../src/index.js'
import { instanceOf, mailboxOf } from './instance.js'

/** The results of listening to deliveries. */
export interface Heard {
  readonly candidates: Candidates
  readonly evidence: Elimination['evidence']
  readonly misfits: readonly string[]
  readonly truth: Readonly<Record<string, string>>
}

/** The known secrets and the amount of mail. */
interface HearOptions {
  readonly secrets?: readonly string[]
  /** True if the secrets are those of the webhooks. */
  readonly knowsSecret?: boolean
  /** True for a single mail. */
  readonly isShort?: boolean
}

const port = 8787

/** Receives deliveries in process on an advanced clock and returns what they show of unknown readings. */
export async function hear(
  readings: string | Record<string, string>,
  { secrets: given = [], knowsSecret = false, isShort = false }: HearOptions = {},
): Promise<Heard> {
  const { simulator } = await instanceOf(mailboxOf(4), readings)
  const plan = new DeliveryPlan()
  const secrets = [...given]
  const attempts: ReceivedAttempt[] = []
  const verified: DeliveryContext['verified'] & Map<number, unknown> = new Map()
  const now = (): number => Date.parse(simulator.clock.now())
  // A signal has no effect after its request is garbage-collected.
  const held: Request[] = []
  const receive = async (request: Request): Promise<Response> => {
    const { pathname: target } = new URL(request.url)
    const body = await request.text()
    const headers = Object.fromEntries(request.headers)
    const action = plan.choose(target, body)
    const number = 1001 + attempts.length
    const attempt: ReceivedAttempt = {
      ...{ number, target, headers, body, action },
      method: 'POST',
      at: now(),
      late: 0,
      hungUp: undefined,
    }
    attempts.push(attempt)
    verified.set(number, await verifySignature(attempt, secrets))
    if (action !== 'hold') return new Response(null, answers[action])
    held.push(request)
    return new Promise((resolve) => {
      request.signal.addEventListener('abort', () => {
        attempt.hungUp = { at: now(), late: 0 }
        resolve(new Response())
      })
    })
  }
  for (const webhook of webhooks) {
    const { id, url } = simulator.webhooks.create(webhook)
    if (knowsSecret) secrets.push(simulator.webhooks.secret(id))
    simulator.webhooks.on(url, receive)
  }
  const judge = () => {
    const list = simulator.webhooks.list() as never
    const context = {
      attempts,
      webhooks: list,
      port,
      now: now(),
      verified: secrets.length > 0 ? verified : undefined,
    }
    return eliminate(gapIds, deliveryConstraints(context))
  }
  if (isShort) await send(simulator, 'Mail', '1s')
  else await write(simulator)
  if (needs204(judge().candidates)) {
    plan.asksWith204 = true
    for (let number = 1; number <= 8; number++) await send(simulator, `Further ${number}`, '3s')
  }
  const { candidates, misfits, evidence } = judge()
  held.length = 0
  return { candidates, evidence, misfits: [...misfits.keys()], truth: simulator.readings.current() }
}

const answers = {
  ok: { status: 200 },
  fail: { status: 500 },
  gone: { status: 410 },
  later: { status: 503, headers: { 'retry-after': '20' } },
  empty: { status: 204 },
} as const

const webhooks = [
  {
    url: `http://127.0.0.1:${port}/a`,
    events: ['message.received'],
    agentHandle: 'support',
    authToken: 's3cret',
  },
  { url: `http://127.0.0.1:${port}/b`, events: ['message.bounced'] },
  {
    url: `http://127.0.0.1:${port}/c`,
    events: ['message.bounced', 'message.received'],
    agentHandle: 'sales',
  },
] as const

async function send(simulator: Simulator, subject: string, then = '0s'): Promise<void> {
  await simulator.mail.receive({ to: 'support', from: 'Ann <ann@example.com>', subject, text: 'Hello.' })
  await simulator.clock.advance(then)
}

/** Sends what the calibration needs: a few mails, many at once, and a bounce. */
async function write(simulator: Simulator): Promise<void> {
  for (let number = 1; number <= 5; number++) await send(simulator, `Mail ${number}`, '4s')
  for (let number = 1; number <= 13; number++) await send(simulator, `Calibration ${number}`)
  await simulator.clock.advance('50s')
  await simulator.mail.receive({
    to: 'sales',
    from: 'Ann <ann@example.com>',
    subject: 'Offer',
    text: 'Hello.',
  })
  await simulator.clock.advance('1s')
  const sent = await simulator.mail.send({
    from: 'support',
    to: ['ann@example.com'],
    subject: 'Bye',
    text: 'Bye.',
  })
  await simulator.mail.bounced(sent.message.id)
  await simulator.clock.advance('5s')
}
