import { HttpResponse, http, type RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSimulator } from '../../doors/simulator/create-simulator.js'
import type { Simulator } from '../../doors/simulator/simulator.js'

const threads = 'http://mailbox.test/api/v1/mail/threads'
const authorized = { headers: { authorization: 'Bearer test-key' } }

async function createMailbox(): Promise<Simulator> {
  return createSimulator({ scenario: { scenario: 'desk', identities: [{ handle: 'support' }] } })
}

/** Returns the handler of the list of threads. */
function threadsHandler({ handlers }: Simulator): RequestHandler {
  const found = handlers.find(({ info }) => info.header === `GET ${threads}`)
  if (!found) throw new Error('No handler lists threads.')
  return found
}

describe('the MSW handlers of a simulator', () => {
  it('can be listed, overridden, reset and restored', async () => {
    const { handlers } = await createMailbox()
    const server = setupServer(...handlers)
    server.listen()
    onTestFinished(() => server.close())
    const status = async () => (await fetch(threads, authorized)).status
    expect(server.listHandlers()).toEqual(handlers)
    expect(await status()).toBe(200)
    const teapot = () => new HttpResponse(null, { status: 418 })
    server.use(http.get(threads, teapot))
    expect(await status()).toBe(418)
    server.resetHandlers()
    expect(await status()).toBe(200)
    server.use(http.get(threads, teapot, { once: true }))
    expect([await status(), await status()]).toEqual([418, 200])
    server.restoreHandlers()
    expect([await status(), await status()]).toEqual([418, 200])
  })

  it('work between handlers of a test and leave other requests to them', async () => {
    const { handlers } = await createMailbox()
    const own = http.get('http://elsewhere.test/', () => HttpResponse.text('own'))
    const server = setupServer(
      own,
      ...handlers,
      http.get(threads, () => HttpResponse.text('never')),
    )
    server.listen()
    onTestFinished(() => server.close())
    expect(await (await fetch('http://elsewhere.test/')).text()).toBe('own')
    expect(await (await fetch(threads, authorized)).json()).toMatchObject({ threads: [], total: 0 })
  })

  it('match their method and path only', async () => {
    const handler = threadsHandler(await createMailbox())
    expect(await handler.test({ request: new Request(threads) })).toBe(true)
    expect(await handler.test({ request: new Request(threads, { method: 'PATCH' }) })).toBe(false)
    expect(await handler.test({ request: new Request(`${threads}/1`) })).toBe(false)
  })

  it('report whether they have been used', async () => {
    const handler = threadsHandler(await createMailbox())
    const run = (url: string) => handler.run({ request: new Request(url, authorized), requestId: '1' })
    expect(await run('http://mailbox.test/api/v1/webhooks')).toBeNull()
    expect(handler.isUsed).toBe(false)
    expect((await run(threads))?.response?.status).toBe(200)
    expect(handler.isUsed).toBe(true)
  })

  it('performs a request object again when it is sent again', async () => {
    const mailbox = await createMailbox()
    const handler = threadsHandler(mailbox)
    const request = new Request(threads, authorized)
    for (const requestId of ['1', '1', '2']) await handler.run({ request, requestId })
    expect(mailbox.journal.exchanges().length).toBe(2)
  })

  it('log their response to the console of a browser as MSW does', async () => {
    const lines: unknown[][] = []
    for (const method of ['groupCollapsed', 'log', 'groupEnd'] as const) {
      vi.spyOn(console, method).mockImplementation((...line: unknown[]) => void lines.push(line))
    }
    onTestFinished(() => void vi.restoreAllMocks())
    const handler = threadsHandler(await createMailbox())
    const request = new Request(threads)
    await handler.log({ request, response: new Response('{}', { status: 200 }), parsedResult: {} })
    expect(lines[0]?.[0]).toMatch(/GET http:\/\/mailbox\.test\/api\/v1\/mail\/threads \(%c200/)
    expect(lines.map(([what]) => what)).toEqual(expect.arrayContaining(['Request', 'Response']))
  })
})
