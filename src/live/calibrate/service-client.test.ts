import { describe, expect, it } from 'vitest'
import { collectGarbage } from '../../../test/support/collect-garbage.js'
import { type ClientOptions, ServiceClient } from './service-client.js'

const options: ClientOptions = {
  baseUrl: 'http://mail.test',
  apiKey: 'a-key',
  rate: 1_000_000,
  maxRequests: 300,
}
const request = { method: 'GET', target: '/api/v1/webhooks', key: 'own' } as const

describe('a client of a live service', () => {
  it('ends a request that gets no response, even after a collection of garbage', async () => {
    const fetch = () => {
      setImmediate(collectGarbage)
      return new Promise<Response>(() => undefined)
    }
    const client = new ServiceClient({ ...options, longestWait: 50, fetch })
    await expect(client.send(request)).rejects.toMatchObject({ code: 'unreachable' })
  })

  it('ends a response that never ends', async () => {
    const endless = () => new ReadableStream({ pull: () => new Promise(() => undefined) })
    const fetch = async () => new Response(endless(), { headers: { 'content-type': 'application/json' } })
    const client = new ServiceClient({ ...options, longestWait: 50, fetch })
    await expect(client.send(request)).rejects.toMatchObject({ code: 'unreachable' })
    expect(await client.download('http://mail.test/file', false)).toBeUndefined()
  })

  it('ends for good when the service stays silent', async () => {
    let [sent, isSilent] = [0, false]
    const fetch = async () => {
      sent++
      return isSilent ? new Promise<Response>(() => undefined) : Response.json({})
    }
    const wait = async () => undefined
    const client = new ServiceClient({ ...options, longestWait: 5, wait, fetch })
    await client.send(request)
    isSilent = true
    for (const most of [2, 2, 1, 1]) {
      sent = 0
      await expect(client.send(request)).rejects.toMatchObject({ code: 'unreachable' })
      expect(sent).toBe(most)
    }
    sent = 0
    expect(await client.download('http://mail.test/file', false)).toBeUndefined()
    expect(sent).toBe(0)
  })

  it('keeps no more of all responses than fits into memory', async () => {
    const fetch = async () => Response.json({ text: 'x'.repeat(500_000) })
    const client = new ServiceClient({ ...options, fetch, mostBytes: 1_048_576 })
    await client.send(request)
    await client.send(request)
    await expect(client.send(request)).rejects.toThrow('The service returned more than 1 MiB')
  })

  it('reads no more of a file than a mail can have', async () => {
    let sent = 0
    const chunk = new Uint8Array(1_048_576)
    const fetch = async () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent++
            controller.enqueue(chunk)
          },
        }),
      )
    const client = new ServiceClient({ ...options, fetch })
    expect(await client.download('http://mail.test/file', false)).toBeUndefined()
    expect(sent).toBeLessThan(60)
  })

  it('takes JSON that is nested too deep for none', async () => {
    const fetch = async () => new Response(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)
    const { answer } = await new ServiceClient({ ...options, fetch }).send(request)
    expect(answer.json).toBeUndefined()
  })
})
