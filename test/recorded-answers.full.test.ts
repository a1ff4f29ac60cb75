import { createHash } from 'node:crypto'
import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { getResponse } from 'msw'
import { expect, it } from 'vitest'
import { projectFile } from './examples/languages.js'
import { type Known, oddRequestsOf, type RecordedRequest, readsOf, writesOf } from './recorded/requests.js'
import { storyNames } from './shipped-scenarios/story.js'

// Whoever changes an answer on purpose updates the records with `-u` and reads what `git diff` shows.

/** Every scenario that ships, those of the example agents, and one under attack. */
const scenarios = [
  ...storyNames.map((name) => ({ name, source: name, attacked: false })),
  ...['inbox', 'refunds'].map((name) => ({
    name: `example-${name}`,
    source: projectFile(`examples/agents/${name}.yaml`),
    attacked: false,
  })),
  { name: 'prompt-injection-attacked', source: 'prompt-injection', attacked: true },
]

/** The scenarios whose agent can send mail. */
const sending = ['prompt-injection', 'refund-conversation']

/** The scenarios with requests that are refused: what is wrong with them does not depend on the mail. */
const oddlyAsked = ['multi-agent', 'refund-conversation', 'support-desk']

/** What is assumed where the interface is silent, and the moments of the story at which its answers are recorded. */
const moments = {
  default: ['before', 'middle', 'after'],
  'worst-case': ['after'],
  'seed:1': ['middle'],
  'seed:2': ['before'],
} as const

it.each(scenarios)('the answers of $name are as recorded', async (scenario) => {
  const sections: string[] = []
  for (const assume of Object.keys(moments) as (keyof typeof moments)[]) {
    sections.push(...(await answersUnder(scenario, assume)))
  }
  await expect(sections.join('\n')).toMatchFileSnapshot(`recorded/${scenario.name}.txt`)
})

/** Returns the answers of a scenario at the moments of its story, a section for each. */
async function answersUnder(
  { source, attacked }: (typeof scenarios)[number],
  assume: keyof typeof moments,
): Promise<string[]> {
  const deliveries: string[] = []
  const simulator = await createSimulator({
    ...{ scenario: source, assume, clock: 'frozen' },
    onHint: () => undefined,
    onUndocumented: () => undefined,
    // Some attempts fail, so that the record has retries.
    receiver: async (request) => {
      const headers = digestOf(shownHeaders(request.headers))
      deliveries.push(`${request.method} ${request.url} ${headers} ${shownBody(await request.text())}`)
      return new Response(null, { status: deliveries.length % 3 === 1 ? 503 : 204 })
    },
  })
  if (attacked) await simulator.attack((await simulator.attacks()).map(({ name }) => name))
  const instants = instantsOf(simulator)
  const sends = sending.includes(source)
  const sections: string[] = []
  for (const [index, moment] of moments[assume].entries()) {
    await simulator.clock.advanceTo(instants[moment])
    // A fault of the story would disturb whichever request comes first.
    simulator.faults.clear()
    const known = knownOf(simulator)
    const lines = [`## ${moment}, ${assume}`]
    for (const request of [
      ...(index === 0 && oddlyAsked.includes(source) ? oddRequestsOf(known) : []),
      ...readsOf(known, sends),
      ...writesOf(known, moment, sends),
    ]) {
      lines.push(`${nameOf(request)} => ${await shownAnswer(await send(simulator, request))}`)
    }
    if (moment === 'after') {
      lines.push(...deliveries.slice(0, 8), `${deliveries.length} deliveries ${digestOf(deliveries.join())}`)
      lines.push(
        ...simulator.reliances().map(({ gap, assumption, count }) => `${gap}=${assumption} ${count}`),
      )
    }
    sections.push(`${lines.join('\n')}\n`)
  }
  simulator.close()
  return sections
}

/** When the moments of a story are; after it, every retry has had its turn. */
function instantsOf({ clock, timeline }: Simulator): Record<'before' | 'middle' | 'after', string> {
  const begin = Date.parse(clock.now())
  const end = Math.max(begin + 60_000, ...timeline.upcoming().map(({ at }) => Date.parse(at)))
  const instant = (milliseconds: number): string => new Date(milliseconds).toISOString()
  return { before: instant(begin), middle: instant((begin + end) / 2), after: instant(end + 172_800_000) }
}

/** What the requests of a moment are made from, read without requests. */
function knownOf({ identities, mailbox }: Simulator): Known {
  const agents = identities.list()
  const threads = agents.slice(0, 2).flatMap(({ agent_handle: agent }) => {
    const { threads: newest, total } = mailbox.threads({ agent, limit: 2 })
    const { threads: oldest } = mailbox.threads({ agent, limit: 1, offset: Math.max(2, total - 1) })
    return [...newest, ...oldest].map(({ id }) => id)
  })
  const message = threads[0] && mailbox.conversation(threads[0]).messages.at(-1)?.id
  return { agents, threads, message }
}

function nameOf({ method, path, body, name }: RecordedRequest): string {
  const words = [...(method === 'GET' ? [] : [method]), name ?? path, ...(body === undefined ? [] : [body])]
  return words.join(' ')
}

async function send({ handlers, baseUrl, apiKey }: Simulator, request: RecordedRequest): Promise<Response> {
  const { method, path, body, headers } = request
  const init = {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
    ...(body !== undefined && { body }),
  }
  const response = await getResponse(handlers, new Request(`${baseUrl}/api/v1${path}`, init))
  if (!response) throw new Error(`No handler responds to ${method} ${path}.`)
  return response
}

/** Returns an answer in one line: the code of a refusal, a short body in full, or else a digest with a summary. */
async function shownAnswer(response: Response): Promise<string> {
  const { status } = response
  const headers = shownHeaders(response.headers)
  const text = await response.text()
  const body = status < 400 ? shownBody(text) : shownRefusal(text)
  return [status, ...(headers && [`{${headers}}`]), body].join(' ')
}

/** Returns the code of a refusal, or the fields of one that has none. */
function shownRefusal(text: string): string {
  const body = JSON.parse(text)
  return body.error?.code ?? body.code ?? Object.keys(body).join()
}

/** Returns headers in one line, without those that say nothing beyond the body. */
function shownHeaders(headers: Headers): string {
  return [...headers]
    .map((field) => field.join(': '))
    .filter((field) => !/^(content-length|date|user-agent): |^content-type: application\/json$/.test(field))
    .join('; ')
}

/** Returns a body if it is short, or else its digest and what is in it, so that a difference can be understood. */
function shownBody(text: string): string {
  if (text.length <= 130 && !text.includes('\n')) return text
  const body = text.startsWith('{') ? JSON.parse(text) : {}
  const [name, rows] =
    Object.entries<{ id?: unknown }[]>(body).find(([, value]) => Array.isArray(value)) ?? []
  const ends = [...new Set([rows?.[0]?.id, rows?.at(-1)?.id])].join('..')
  return [digestOf(text), body.id ?? (rows && `${rows.length} ${name} ${ends}, total ${body.total}`)].join(
    ' ',
  )
}

/** Returns the first digits of the SHA-256 of a text. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}
