import { Writable } from 'node:stream'
import { HttpResponse, http } from 'msw'
import { Agent, Client, errors, fetch, getGlobalDispatcher, interceptors, request, stream } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { helloServer } from '../../../test/support/hello-server.js'
import { listen } from './node.js'

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }

async function openMailbox() {
  const mailbox = await listen({ scenario })
  onTestFinished(() => mailbox.close())
  const headers = { authorization: `Bearer ${mailbox.apiKey}` }
  return { mailbox, headers, url: `${mailbox.baseUrl}/api/v1/identities/support` }
}

it('handles and records the requests of undici', async () => {
  const { mailbox, headers, url } = await openMailbox()
  const names = { 'content-type': 'application/json' }
  const changed = await request(url, {
    method: 'PATCH',
    headers: Object.entries({ ...headers, ...names }).flat(),
    body: '{"display_name":"Busy"}',
  })
  expect(await changed.body.json()).toMatchObject({ display_name: 'Busy' })
  const body = JSON.stringify({ description: 'Away' })
  const fetched = await fetch(url, { method: 'PATCH', headers: { ...headers, ...names }, body })
  expect([fetched.status, fetched.headers.get('content-type'), await fetched.json()]).toEqual([
    200,
    'application/json',
    expect.objectContaining({ display_name: 'Busy', description: 'Away' }),
  ])
  let streamed = ''
  const sink = new Writable({
    write(piece, _encoding, done) {
      streamed += piece
      done()
    },
  })
  const get = { method: 'GET', headers } as const
  await stream(url, get, () => sink)
  const retrying = getGlobalDispatcher().compose(interceptors.retry({ minTimeout: 1 }))
  mailbox.faults.add({ operation: 'identities.get', reset: true, times: 1 })
  const again = await request(url, { ...get, dispatcher: retrying })
  expect(await again.body.text()).toBe(streamed)
  expect(mailbox.journal.exchanges().map(({ method, fault }) => `${method}${fault ? ' reset' : ''}`)).toEqual(
    ['PATCH', 'PATCH', 'GET', 'GET reset', 'GET'],
  )
  const cookies = [
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ] as [string, string][]
  mailbox.server.use(http.get(url, () => new HttpResponse('overridden', { headers: cookies })))
  const overridden = await request(url, { dispatcher: retrying })
  expect(await overridden.body.text()).toBe('overridden')
  expect(overridden.headers['set-cookie']).toEqual(['a=1', 'b=2'])
})

it('ends a request at the time-outs of undici', async () => {
  const { mailbox, headers, url } = await openMailbox()
  const ask = (options: object) => request(url, { headers, ...options })
  mailbox.faults.add({ operation: 'identities.get', delay: '1h', times: 1 })
  await expect(ask({ headersTimeout: 20 })).rejects.toBeInstanceOf(errors.HeadersTimeoutError)
  mailbox.faults.add({ operation: 'identities.get', drip: '1h', times: 1 })
  const { body } = await ask({ headersTimeout: 60_000, bodyTimeout: 20 })
  await expect(body.text()).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' })
  const { statusCode, body: whole } = await ask({ headersTimeout: 60_000, bodyTimeout: 60_000 })
  expect([statusCode, await whole.json()]).toEqual([
    200,
    expect.objectContaining({ agent_handle: 'support' }),
  ])
})

it('refuses a request with a separate dispatcher and suggests a remedy', async () => {
  const { mailbox, url } = await openMailbox()
  for (const dispatcher of [new Agent(), new Client(mailbox.baseUrl)]) {
    onTestFinished(() => dispatcher.destroy())
    await expect(request(url, { dispatcher })).rejects.toThrow(
      `GET ${url} uses its own dispatcher (an Agent, Pool or Client of undici, or one that was created after ` +
        'the mailbox), which cannot be intercepted. Import undici first, and leave "dispatcher" out in tests, or give ' +
        'the client getGlobalDispatcher().',
    )
  }
  expect(mailbox.journal.exchanges()).toEqual([])
})

it('rejects an aborted request with its reason', async () => {
  const { mailbox, headers, url } = await openMailbox()
  mailbox.faults.add({ delay: '1h' })
  const aborting = new AbortController()
  const aborted = request(url, { headers, signal: aborting.signal })
  aborting.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
})

it('passes nothing more to a handler that aborts at the header', async () => {
  const { headers, url } = await openMailbox()
  const called: string[] = []
  await new Promise<void>((resolve) => {
    const { origin, pathname: path } = new URL(url)
    getGlobalDispatcher().dispatch(
      { origin, path, method: 'GET', headers },
      {
        onRequestStart: () => void called.push('start'),
        onResponseStart: (controller) => {
          called.push('header')
          controller.abort(new Error('enough'))
          setTimeout(resolve)
        },
        onResponseData: () => void called.push('data'),
        onResponseEnd: () => void called.push('end'),
        onResponseError: () => void called.push('error'),
      },
    )
  })
  expect(called).toEqual(['start', 'header', 'error'])
})

it('passes requests to other hosts through, and every request once closed', async () => {
  const origin = await helloServer()
  const before = getGlobalDispatcher()
  const mailbox = await listen({ scenario, baseUrl: origin })
  const path = '/api/v1/webhooks'
  const texts = async () => [
    await (await request(`${origin}/other`)).body.text(),
    await (
      await request(`${origin}${path}`, { headers: { authorization: `Bearer ${mailbox.apiKey}` } })
    ).body.text(),
  ]
  expect(await texts()).toEqual(['hello', '{"webhooks":[],"total":0}'])
  mailbox.close()
  expect(await texts()).toEqual(['hello', 'hello'])
  expect(getGlobalDispatcher()).toBe(before)
})
