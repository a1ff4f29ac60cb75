import type { Fault, Simulator } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { startServer } from 'agent-mailbox-sim/server'
import { afterEach, describe, expect, it } from 'vitest'
import type { FaultInput } from '../../src/service/faults/fault.js'
import { type Client, clients, retrying } from './clients.js'

interface Transport {
  readonly sim: Simulator
  readonly url: string
}

const scenario = {
  scenario: 'desk',
  identities: [{ handle: 'support', threads: [{ messages: [{ at: '-1h', text: 'Hello' }] }] }],
}

const faults: Record<string, Fault | undefined> = {
  none: undefined,
  status: { status: 503, retry_after: '1s' },
  'status without a body': { status: 204 },
  body: { status: 200, body: { threads: 7 } },
  'content type': { body: '<html>', content_type: 'text/html' },
  empty: { empty: true },
  malformed: { malformed: true },
  drip: { drip: '10ms' },
  truncate: { truncate: 20 },
  reset: { reset: true },
}

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function overHttp(): Promise<Transport> {
  const server = await startServer({ scenario, port: 0, clock: 'frozen' })
  open.push(() => server.close())
  return { sim: server.simulator, url: server.url }
}

async function inProcess(): Promise<Transport> {
  const sim = await listen({ scenario, baseUrl: 'http://mailbox.test' })
  open.push(() => sim.close())
  return { sim, url: sim.baseUrl }
}

/** Returns the result of a client, including the error codes that retry policies use. */
async function outcomeOf(client: Client, { sim, url }: Transport, fault?: Fault): Promise<unknown> {
  const headers = { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' }
  sim.faults.clear()
  if (fault) sim.faults.add(fault as FaultInput)
  try {
    const read = await client({ url: `${url}/api/v1/mail/threads`, headers })
    const renamed = { url: `${url}/api/v1/identities/support`, headers, body: '{"display_name":"Busy"}' }
    return { read, changed: fault ? undefined : (await client(renamed)).status }
  } catch (error) {
    return errorOf(error)
  }
}

function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, cause } = error
  const { code, errno, syscall } = error as NodeJS.ErrnoException
  return { name, message, code, errno, syscall, ...(cause !== undefined && { cause: errorOf(cause) }) }
}

describe('requests in-process and over HTTP', () => {
  it('show each client the same faults, including errors and their codes', async () => {
    const cells = Object.keys(clients).flatMap((name) =>
      Object.keys(faults).map((fault) => [name, fault] as const),
    )
    const ask = async (transport: Transport) => {
      const outcomes: Record<string, unknown> = {}
      for (const [name, fault] of cells) {
        outcomes[`${name}: ${fault}`] = await outcomeOf(clients[name] as Client, transport, faults[fault])
      }
      return outcomes
    }
    // In this order: axios keeps the first `Request` class, and that of MSW fails after its server is closed.
    const wire = await ask(await overHttp())
    const local = await ask(await inProcess())
    expect(local).toEqual(wire)
    const reset = JSON.stringify(Object.entries(local).filter(([cell]) => cell.endsWith(': reset')))
    expect(reset.match(/"code":"ECONNRESET","errno":-104/g)).toHaveLength(Object.keys(clients).length)
    expect(local['fetch: none']).toMatchObject({ read: { status: 200 }, changed: 200 })
  })

  it.each(Object.entries(retrying))('let %s retry after a reset', async (_, client) => {
    for (const connect of [overHttp, inProcess]) {
      const { sim, url } = await connect()
      sim.faults.add({ reset: true, times: 1 })
      const headers = { authorization: `Bearer ${sim.apiKey}` }
      const { status } = await client({ url: `${url}/api/v1/mail/threads`, headers })
      expect([status, sim.journal.exchanges().map((exchange) => exchange.fault !== null)]).toEqual([
        200,
        [true, false],
      ])
    }
  })
})
