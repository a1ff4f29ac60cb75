import { defineExtension } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { startServer } from 'agent-mailbox-sim/server'
import { expect, it } from 'vitest'
import { handlers } from './handlers.js'
import { Mailbox } from './mailbox.js'
import { defaultRequests, defaultUpdates, type FixedRequest, requestsIn, sendFixed } from './requests.js'
import { conformanceScenario } from './scenario.js'
import { answerOf, type Transport } from './transport.js'

/** `fetch` of this process, intercepted. */
const interceptor: Transport = {
  name: 'interceptor',
  async open(options) {
    const simulator = await listen({ ...options, onUnhandledRequest: 'error' })
    const { baseUrl } = simulator
    const request = async (method: string, path: string, parts = {}) =>
      answerOf(await fetch(`${baseUrl}${path}`, { method, ...parts }))
    return { simulator, baseUrl, request, close: () => simulator.close() }
  },
}

/** `fetch` over a socket to the HTTP server. */
const server: Transport = {
  name: 'server',
  async open({ baseUrl: _, ...options }) {
    const { url: baseUrl, simulator, close } = await startServer({ ...options, port: 0 })
    const request = async (method: string, path: string, parts = {}) =>
      answerOf(await fetch(`${baseUrl}${path}`, { method, ...parts }))
    return { simulator, baseUrl, request, close }
  },
}

/** Headers that belong to a connection, or to the way a body is sent. */
const ofTheConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']

interface PlainAnswer {
  readonly request: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  /** The body with a character for each byte. */
  readonly body: string
}

/** An operation outside of /api/v1, for each of two methods. */
const outside = defineExtension(({ operation, z }) => [
  operation({
    id: 'outside.get',
    method: 'GET',
    path: '/v2/things/{id}',
    perform: ({ params }) => ({ id: params.id }),
  }),
  operation({
    id: 'outside.put',
    method: 'PUT',
    path: '/v2/things/{id}',
    body: z.object({ colour: z.string() }),
    perform: ({ params, body }) => ({ id: params.id, ...body }),
  }),
])

/** Requests with every method for paths of each kind. */
function methodRequests(file: string): FixedRequest[] {
  const paths = '/api/v1/mail/threads /api/v1/webhooks/ /api/v1/identities/eva /api/v1 /v2/things/7'.split(
    ' ',
  )
  const origin = 'origin: https://app.example'
  return [...paths, file].flatMap((path) =>
    requestsIn(`
      GET,HEAD ${path} | content-type: application/json; ${origin}
      POST,PUT,PATCH,DELETE,OPTIONS,PURGE ${path} {"colour": "red"} | ${origin}
    `),
  )
}

interface Options {
  readonly assumptions: string
  readonly baseUrl?: string | undefined
}

/** Opens a transport and closes it before the next one is opened. */
async function during<Result>(
  transport: Transport,
  { assumptions, baseUrl }: Options,
  use: (mailbox: Mailbox) => Promise<Result>,
): Promise<Result> {
  const quiet = () => undefined
  const scenario = conformanceScenario
  const extend = [outside]
  const options = {
    scenario,
    extend,
    clock: 'frozen',
    assume: assumptions,
    baseUrl,
    onUndocumented: quiet,
  } as const
  const connection = await transport.open(options)
  try {
    return await use(new Mailbox(connection))
  } finally {
    await connection.close()
  }
}

/** Returns the answers to requests sent ten seconds apart. */
async function answersTo(mailbox: Mailbox, requests: readonly FixedRequest[]): Promise<PlainAnswer[]> {
  const answers: PlainAnswer[] = []
  for (const request of requests) {
    await mailbox.simulator.clock.advance('10s')
    const { status, headers, body } = await sendFixed(mailbox, request)
    answers.push({
      request: request.name,
      status,
      headers: [...headers].filter(([name]) => !ofTheConnection.includes(name)).toSorted(),
      body: Buffer.from(body).toString('latin1'),
    })
  }
  return answers
}

/** Requests for every file of the scenario, with and without a key. */
async function fileRequests(): Promise<FixedRequest[]> {
  const dump = await during(handlers, { assumptions: 'default' }, (mailbox) => mailbox.dump())
  const paths = new Set(dump.match(/\/attachments\/[^"]+/g))
  return [...paths].flatMap((path) => requestsIn(`GET ${path}\nGET ${path} | authorization:`))
}

it.each(['default', 'worst-case', 'seed:1'])(
  'the same requests in the same order have the same answers from all transports (%s)',
  async (assumptions) => {
    const files = await fileRequests()
    const others = methodRequests(files[0]?.path ?? '')
    const requests = [...defaultUpdates, ...files, ...defaultRequests, ...others]
    const served = await during(server, { assumptions }, async (mailbox) => {
      return { baseUrl: mailbox.baseUrl, answers: await answersTo(mailbox, requests) }
    })
    expect(served.answers.filter(({ status }) => status === 500)).toEqual([])
    for (const transport of [interceptor, handlers]) {
      const options = { assumptions, baseUrl: served.baseUrl }
      const answers = await during(transport, options, (mailbox) => answersTo(mailbox, requests))
      expect(answers, transport.name).toEqual(served.answers)
    }
  },
)
