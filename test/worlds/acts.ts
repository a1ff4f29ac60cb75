import { type FaultInput, gaps, type Simulator } from 'agent-mailbox-sim'
import { createRandom } from '../../src/service/time/random.js'

/** A world in which something happens. */
export interface Acting {
  readonly sim: Simulator
  /** The address of the service. */
  readonly url: string
  /** Sends a request of a client; by default with `fetch`. */
  readonly send?: (request: Request) => Promise<Response>
  /** Called after the world was restored, with an empty log. */
  readonly restored?: () => void
}

/** Assumptions of any gap but the rate limit, which most requests would exceed. */
const assumptions = Object.entries(gaps).flatMap(([gap, { assumptions }]) =>
  gap === 'limits.rate' ? [] : Object.keys(assumptions).map((name) => ({ [gap]: name })),
)

/** Does something with a mailbox, as a client or beside it, which depends only on the seed and the turn; returns what came of it. */
export async function act(
  { sim, url, send = fetch, restored }: Acting,
  seed: number,
  turn: number,
): Promise<string> {
  const random = createRandom(seed, `turn ${turn}`)
  const agent = random.pick(sim.identities.list()).agent_handle
  const thread = random.pick(['thrd_none', ...sim.threads.list().map(({ id }) => id)])
  const mail = { agent, to: random.pick(['ann@mail.example', 'gone@mail.example']), text: `Turn ${turn}` }
  const headers = { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' }
  const ask = async (path: string, method = 'GET', body?: object): Promise<string> => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    try {
      const answer = await send(new Request(`${url}/api/v1/${path}`, init))
      const text = await answer.text().catch(() => 'a truncated body')
      return `${path}: ${answer.status} ${text.replaceAll(url, '')}`
    } catch {
      return 'a network error'
    }
  }
  const faults: readonly FaultInput[] = [
    { status: 503 },
    { truncate: 20 },
    { malformed: true },
    { reset: true },
  ]
  const fault = random.pick(faults)
  const acts = [
    () => ask(`mail/threads?agent=${agent}&limit=${random.pick([1, 5, 50])}`),
    () => ask(`mail/messages?thread_id=${thread}`),
    () => ask('webhooks'),
    () => ask(`identities/${agent}`, 'PATCH', { display_name: `Turn ${turn}` }),
    () => ask('mail/messages', 'POST', mail),
    () => ask('mail/drafts', 'POST', mail),
    async () =>
      (await sim.mail.receive({ to: agent, from: 'Bo <bo@mail.example>', text: mail.text })).message.id,
    async () => (await sim.mail.send({ from: agent, to: mail.to, text: mail.text })).message.id,
    async () => sim.threads.markRead(thread).id,
    () => sim.clock.advance(random.pick(['10s', '3m', '2h'])),
    async () => sim.faults.add({ operation: 'threads.list', ...fault, times: 1, after: 1 }).id,
    async () => sim.assumptions.set(random.pick(assumptions)),
    async () => {
      if (!random.chance(0.3)) return
      sim.restore(sim.snapshot())
      restored?.()
    },
  ]
  try {
    return `${await random.pick(acts)()}`
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}
