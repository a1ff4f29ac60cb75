import { setupServer } from 'msw/node'
import { expect, it, onTestFinished, vi } from 'vitest'
import { helloServer } from '../../../test/support/hello-server.js'
import { createSimulator } from '../simulator/create-simulator.js'
import { listen } from './node.js'

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }

async function listenQuietly() {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  onTestFinished(() => void warnings.mockRestore())
  const mailbox = await listen({ scenario })
  onTestFinished(() => mailbox.close())
  return { warnings, mailbox }
}

it('refuses a simulator and suggests its handlers, which work', async () => {
  const sim = await createSimulator({ scenario })
  onTestFinished(() => sim.close())
  for (const given of [sim, sim.fork()]) {
    await expect(listen(given as object)).rejects.toThrow(
      new TypeError(
        'listen() creates its own simulator from options such as { scenario: "support-desk" }, but was given a ' +
          'simulator. To intercept requests with that one: setupServer(...simulator.handlers).listen(), with ' +
          'setupServer of msw/node.',
      ),
    )
  }
  const server = setupServer(...sim.handlers)
  server.listen()
  onTestFinished(() => server.close())
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  const answer = await fetch(`${sim.baseUrl}/api/v1/identities/support`, { headers })
  expect(await answer.json()).toMatchObject({ agent_handle: 'support' })
})

it.each([{}, { delay: '1ms' as const }])(
  'performs a request once under a fault of %j when two servers listen',
  async (fault) => {
    const own = setupServer()
    own.listen({ onUnhandledRequest: 'bypass' })
    onTestFinished(() => own.close())
    const { mailbox } = await listenQuietly()
    mailbox.clock.setMode('real')
    if ('delay' in fault) mailbox.faults.add(fault)
    const headers = { authorization: `Bearer ${mailbox.apiKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ display_name: 'Busy' })
    const url = `${mailbox.baseUrl}/api/v1/identities/support`
    const answer = await fetch(url, { method: 'PATCH', headers, body })
    expect(await answer.json()).toMatchObject({ display_name: 'Busy' })
    expect([mailbox.journal.exchanges().length, mailbox.journal.commands().length]).toEqual([1, 1])
  },
)

it('warns when another mailbox of the process is already listening', async () => {
  const { warnings, mailbox } = await listenQuietly()
  expect(warnings).not.toHaveBeenCalled()
  const second = await listen({ scenario, baseUrl: 'http://other.test' })
  second.close()
  expect(warnings).toHaveBeenCalledOnce()
  expect(warnings).toHaveBeenCalledWith(
    expect.stringContaining('close() the other mailbox first, or use fork()'),
  )
  mailbox.close()
  const third = await listen({ scenario })
  third.close()
  expect(warnings).toHaveBeenCalledOnce()
})

it('hints at the base URL when a service request goes to another host', async () => {
  const { warnings, mailbox } = await listenQuietly()
  // Nothing listens at port 9 of this machine, so the request itself fails.
  const get = (path: string) => fetch(`http://127.0.0.1:9${path}`).catch(() => undefined)
  for (const path of ['/api/v1/users', '/v1/chat', '/', '/api/v1/users/webhook']) await get(path)
  expect([warnings.mock.calls, mailbox.journal.exchanges()]).toEqual([[], []])
  await get('/api/v1/mail/threads?limit=5&token=hidden-token')
  await get('/v2/api/v1/identities/support')
  const hint = (path: string) =>
    `GET http://127.0.0.1:9${path} is outside the base URL; the service is simulated at http://mailbox.test. ` +
    'See docs/troubleshooting.md#another-base-url.'
  expect(warnings.mock.calls).toEqual([[`agent-mailbox-sim: ${hint('/api/v1/mail/threads')}`]])
  expect(mailbox.journal.exchanges()).toMatchObject([
    {
      operation: null,
      status: 0,
      query: { limit: '5', token: '***' },
      near_miss: hint('/api/v1/mail/threads'),
    },
    { operation: null, status: 0, near_miss: hint('/v2/api/v1/identities/support') },
  ])
})

it('records the body of a service request outside the base URL', async () => {
  const { mailbox } = await listenQuietly()
  const body = '{"display_name":"Busy"}'
  for (const url of [
    'http://127.0.0.1:9/api/v1/identities/support',
    'http://mailbox.test/v1/identities/support',
  ]) {
    await fetch(url, { method: 'PATCH', body }).catch(() => undefined)
  }
  const entry = { operation: null, status: 0, request: { body } }
  await expect.poll(() => mailbox.journal.exchanges()).toMatchObject([entry, entry])
})

it('passes other requests through unless onUnhandledRequest is error', async () => {
  const url = await helloServer()
  const get = async () => (await fetch(url)).text()
  const open = await listen({ scenario })
  const passed = await get()
  open.close()
  const closed = await listen({ scenario, onUnhandledRequest: 'error' })
  onTestFinished(() => closed.close())
  expect(passed).toBe('hello')
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await expect(get()).rejects.toThrow()
})

it('is reached directly where the environment names a proxy, and leaves that as it was', async () => {
  for (const name of ['no_proxy', 'NO_PROXY', 'https_proxy', 'HTTPS_PROXY', 'HTTP_PROXY'])
    vi.stubEnv(name, undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const hosts = () => [process.env['no_proxy'], process.env['NO_PROXY']]
  const unproxied = await listen({ scenario })
  expect(hosts()).toEqual([undefined, undefined])
  unproxied.close()
  vi.stubEnv('http_proxy', 'http://127.0.0.1:9')
  vi.stubEnv('NO_PROXY', 'intranet.example')
  const mailbox = await listen({ scenario, baseUrl: 'http://mail.test:8025' })
  expect(hosts()).toEqual(['intranet.example,mail.test', 'intranet.example,mail.test'])
  mailbox.close()
  expect(hosts()).toEqual([undefined, 'intranet.example'])
})

it('leaves a client that kept the global classes able to send, also after it is closed and opened again', async () => {
  const platform = [Request, Response, fetch]
  const own = await helloServer()
  const first = await listen({ scenario })
  const Kept = { Request, Response }
  class OwnRequest extends Request {}
  first.close()
  expect([Request, Response, fetch]).toEqual(platform)
  const headers = { authorization: `Bearer ${first.apiKey}` }
  expect((await fetch(new Kept.Request(own, { headers }))).status).toBe(200)
  expect(new Kept.Response('x', { headers }).headers.get('authorization')).toBe(headers.authorization)
  const again = await listen({ scenario })
  onTestFinished(() => again.close())
  for (const Class of [Kept.Request, OwnRequest, Request]) {
    const request = new Class(`${again.baseUrl}/api/v1/identities/support`, { headers })
    expect(request).toBeInstanceOf(Class)
    expect((await fetch(request)).status).toBe(200)
  }
})
