import { type Fault, gaps, type Message, type Simulator, type Thread } from 'agent-mailbox-sim'
import fc from 'fast-check'
import type { FaultInput } from '../../src/service/faults/fault.js'
import type { ScriptWorld } from './script-worlds.js'

/** The agents of the story, one for each client of a world. */
export const agents = ['eva', 'tom'] as const

/** A request or a change of the world; the text names it in a difference. */
export interface Act {
  readonly text: string
  run(client: Client): Promise<string>
}

/** A client of a world, which refers only to rows that it has seen. */
export class Client {
  readonly answers: string[] = []
  readonly world: ScriptWorld
  threads: readonly string[] = []
  messages: readonly string[] = []
  files: readonly string[] = []

  constructor(world: ScriptWorld) {
    this.world = world
  }

  async perform(acts: readonly Act[]): Promise<void> {
    for (const act of acts) this.answers.push(`${act.text} → ${await act.run(this)}`)
  }

  async ask(method: string, path: string, body?: unknown): Promise<string> {
    const answer = await textOf(this.world.ask(method, path, body))
    const text = this.world.plain(answer)
    this.#remember(/\{.*\}$/s.exec(text)?.[0] ?? '{}')
    return text
  }

  #remember(json: string): void {
    let listed: { threads?: readonly Thread[]; messages?: readonly Message[] } = {}
    try {
      listed = JSON.parse(json)
    } catch {
      // A fault has damaged the body.
    }
    const { threads, messages } = listed
    if (threads) this.threads = threads.map(({ id }) => id)
    if (!messages) return
    this.messages = messages.map(({ id }) => id)
    const files = messages.flatMap(({ attachments }) => attachments)
    this.files = files.map(({ url, download_url }) => `${url ?? download_url}`)
  }
}

async function textOf(answering: Promise<Response>): Promise<string> {
  try {
    const answer = await answering
    const { status, headers } = answer
    const text = await answer.text().catch(() => 'a truncated body')
    const names = ['content-type', 'retry-after', 'allow', 'www-authenticate']
    return `${status} ${names.map((name) => headers.get(name)).join(' ')} ${text}`
  } catch (error) {
    if (error instanceof TypeError) return 'a network error'
    throw error
  }
}

type Fields<Values> = { readonly [Key in keyof Values]: fc.Arbitrary<Values[Key]> }

function acts<Values extends object>(
  name: string,
  fields: Fields<Values>,
  run: (client: Client, values: Values) => Promise<string>,
): fc.Arbitrary<Act> {
  return fc.record(fields).map((values) => {
    return { text: `${name} ${JSON.stringify(values)}`, run: (client) => run(client, values as Values) }
  })
}

/** Returns acts that change the world through the library; their result is an id or the code of an error. */
function changes<Values extends object>(
  name: string,
  fields: Fields<Values>,
  change: (simulator: Simulator, values: Values, client: Client) => unknown,
): fc.Arbitrary<Act> {
  return acts(name, fields, async (client, values) => {
    try {
      return `${await change(client.world.simulator, values, client)}`
    } catch (error) {
      return (error as { code: string }).code
    }
  })
}

const number = fc.nat(1000)
const limit = fc.constantFrom(1, 2, 5, 50)

const at = (list: readonly string[], index: number): string | undefined => list[index % list.length]

const lists = (agent: fc.Arbitrary<string | null>) =>
  acts('list', { rows: fc.constantFrom('threads', 'messages'), agent, limit }, (client, chosen) => {
    const scope = chosen.agent === null ? '' : `&agent=${chosen.agent}`
    return client.ask('GET', `/api/v1/mail/${chosen.rows}?limit=${chosen.limit}${scope}`)
  })

const identities = (agent: fc.Arbitrary<string>) =>
  acts('identity', { agent }, (client, chosen) => client.ask('GET', `/api/v1/identities/${chosen.agent}`))

const renames = (agent: fc.Arbitrary<string>, name = fc.string({ unit: 'grapheme', maxLength: 8 })) =>
  acts('rename', { agent, name }, (client, chosen) =>
    client.ask('PATCH', `/api/v1/identities/${chosen.agent}`, { display_name: chosen.name }),
  )

const webhooks = acts('webhooks', {}, (client) => client.ask('GET', '/api/v1/webhooks'))

const agent = fc.constantFrom(...agents)

const anyRequest: fc.Arbitrary<Act> = fc.oneof(
  lists(fc.option(agent)),
  acts('thread', { number }, (client, chosen) =>
    client.ask('GET', `/api/v1/mail/messages?thread_id=${at(client.threads, chosen.number)}`),
  ),
  identities(agent),
  renames(agent),
  acts('file', { number }, (client, chosen) =>
    client.ask('GET', at(client.files, chosen.number) ?? '/attachments/att_none/none.txt'),
  ),
  webhooks,
  acts('path', { path: fc.constantFrom('/mail/thread', '/', '/identities/nobody') }, (client, { path }) =>
    client.ask('GET', `/api/v1${path}`),
  ),
)

const effect: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ status: fc.constantFrom(429, 500, 503), retry_after: fc.constantFrom(3, '1m') }),
  fc.record({ truncate: fc.nat(40) }),
  fc.constantFrom<Fault>(
    { malformed: true },
    { empty: true },
    { reset: true },
    { delay: ['1ms', '5ms'] },
    { drip: '5ms' },
  ),
)

const when: fc.Arbitrary<Fault> = fc.record(
  {
    after: fc.nat(2),
    times: fc.integer({ min: 1, max: 3 }),
    probability: fc.double({ min: 0.2, max: 0.8, noNaN: true }),
  },
  { requiredKeys: [] },
)

const addFault = (scope: fc.Arbitrary<Fault>): fc.Arbitrary<Act> => {
  const fault = fc.tuple(scope, when, effect).map((parts): Fault => Object.assign({}, ...parts))
  return changes(
    'fault',
    { fault },
    (simulator, chosen) => simulator.faults.add(chosen.fault as FaultInput).id,
  )
}

const clearFaults: Act = {
  text: 'clear faults',
  run: async ({ world }) => `${world.simulator.faults.clear()}`,
}

const reset: Act = { text: 'reset', run: async ({ world }) => `${world.simulator.reset()}` }

/** An assumption of any gap but the rate limit, which most requests would exceed. */
const assumption = fc
  .constantFrom(...Object.entries(gaps).filter(([gap]) => gap !== 'limits.rate'))
  .chain(([gap, { assumptions }]) =>
    fc.constantFrom(...Object.keys(assumptions)).map((name) => [gap, name] as const),
  )

const mail = { agent, answers: fc.option(number) }

const contentOf = (client: Client, answers: number | null) => {
  const message = answers === null ? undefined : at(client.messages, answers)
  return { text: 'Hello', ...(message === undefined ? { subject: 'New' } : { inReplyTo: message }) }
}

const handle = fc.constantFrom('joe', 'amy', 'eva', 'zoe')

const anyChange: fc.Arbitrary<Act> = fc.oneof(
  changes(
    'receive',
    { ...mail, file: fc.option(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })) },
    async (simulator, { agent: to, answers, file }, client) => {
      const attachments = file === null ? [] : [{ filename: 'note.txt', content: btoa(file) }]
      const sent = { to, from: 'Bob <bob@mail.example>', attachments, ...contentOf(client, answers) }
      const { message, thread } = await simulator.mail.receive(sent)
      return `${message.id} ${thread.id}`
    },
  ),
  changes('send', mail, async (simulator, { agent: from, answers }, client) => {
    const sent = { from, to: 'bob@mail.example', ...contentOf(client, answers) }
    const { message, thread } = await simulator.mail.send(sent)
    return `${message.id} ${thread.id}`
  }),
  changes('mark', { number, unread: fc.boolean() }, ({ threads }, chosen, client) => {
    const thread = at(client.threads, chosen.number) ?? 'thrd_none'
    return (chosen.unread ? threads.markUnread(thread) : threads.markRead(thread)).id
  }),
  changes('advance', { minutes: fc.nat(90) }, ({ clock }, { minutes }) => clock.advance(minutes * 60_000)),
  addFault(fc.record({ operation: fc.constantFrom('threads.list' as const, 'messages.list' as const) })),
  changes(
    'assumptions',
    { chosen: fc.array(assumption, { minLength: 1, maxLength: 3 }) },
    (simulator, { chosen }) => {
      simulator.assumptions.set(Object.fromEntries(chosen))
    },
  ),
  changes('create', { handle }, (simulator, chosen) => simulator.identities.create(chosen).id),
  // The agents of the clients stay.
  changes('delete', { handle }, (simulator, chosen) => {
    if (chosen.handle !== 'eva') simulator.identities.delete(chosen.handle)
  }),
  changes('keep', {}, (simulator, _, { world }) => {
    world.kept = simulator.snapshot()
  }),
  changes('restore', {}, (simulator, _, { world }) => simulator.restore(world.kept)),
  changes('subscribe', { port: fc.integer({ min: 1024, max: 1030 }) }, (simulator, { port }) => {
    const url = `http://127.0.0.1:${port}/hook`
    return simulator.webhooks.create({ url, events: ['message.bounced'] }).id
  }),
)

/** Returns requests of a client that neither affect nor notice those of the other client. */
function ownRequests(own: string): fc.Arbitrary<Act[]> {
  const agent = fc.constant(own)
  const request = fc.oneof(
    lists(agent),
    identities(agent),
    renames(agent, fc.string({ maxLength: 8 })),
    webhooks,
  )
  return fc.array(request, { minLength: 2, maxLength: 5 })
}

/** A part of a script: acts of either client in turn, then requests of both clients at once. */
export interface Stretch {
  readonly inTurn: readonly { readonly client: 0 | 1; readonly act: Act }[]
  readonly apart: readonly [readonly Act[], readonly Act[]]
}

const stretch: fc.Arbitrary<Stretch> = fc
  .record({
    begin: fc.oneof(
      { weight: 9, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.constant([reset]) },
    ),
    turns: fc.array(
      fc.record({
        client: fc.constantFrom(0 as const, 1 as const),
        act: fc.oneof({ weight: 4, arbitrary: anyRequest }, { weight: 5, arbitrary: anyChange }),
      }),
      { minLength: 4, maxLength: 12 },
    ),
    // While both clients send requests, each fault affects only one of them, so that their order does not matter.
    faults: fc.tuple(
      ...agents.map((own) => fc.option(addFault(fc.constant<Fault>({ handle: own })), { nil: undefined })),
    ),
    apart: fc.tuple(ownRequests(agents[0]), ownRequests(agents[1])),
  })
  .map(({ begin, turns, faults, apart }) => {
    const byFirst = (list: readonly (Act | undefined)[]) =>
      list.filter((act) => act !== undefined).map((act) => ({ client: 0 as const, act }))
    const inTurn = [...byFirst([...begin, clearFaults]), ...turns, ...byFirst([clearFaults, ...faults])]
    return { inTurn, apart }
  })

/** The stretches of one world, and its seed if it differs from that of the scenario. */
export interface Script {
  readonly seed: number | undefined
  readonly stretches: readonly Stretch[]
}

/** Any script; most worlds share the seed of the scenario, so that leaked rows would be plausible. */
export const script: fc.Arbitrary<Script> = fc.record({
  seed: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined, freq: 3 }),
  stretches: fc.array(stretch, { minLength: 1, maxLength: 2 }),
})
