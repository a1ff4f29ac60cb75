import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import axios from 'axios'
import got from 'got'
import ky from 'ky'
import { fetch as undiciFetch, request as undiciRequest } from 'undici'

/** The answer that a client returns. */
export interface Answered {
  readonly status: number
  readonly text: string
}

export interface Asked {
  readonly url: string
  readonly headers: Record<string, string>
  /** The body of a `PATCH`; a `GET` by default. */
  readonly body?: string
}

/** Sends a request with one client without retries. */
export type Client = (asked: Asked) => Promise<Answered>

// It brings no types.
const require = createRequire(import.meta.url)
const superagent = require('superagent') as (method: string, url: string) => SuperagentRequest

interface SuperagentRequest extends PromiseLike<{ status: number; text?: string }> {
  set(headers: object): SuperagentRequest
  ok(takes: () => boolean): SuperagentRequest
  buffer(): SuperagentRequest
  parse(parser: (message: IncomingMessage, done: (error: unknown) => void) => void): SuperagentRequest
  retry(times: number): SuperagentRequest
  send(body: string): SuperagentRequest
}

const methodOf = ({ body }: Asked) => (body === undefined ? 'GET' : 'PATCH')

const byAxios = async ({ url, headers, body }: Asked, adapter: 'http' | 'fetch'): Promise<Answered> => {
  const options = { responseType: 'text', validateStatus: () => true, adapter } as const
  const method = body === undefined ? 'GET' : 'PATCH'
  const { status, data } = await axios.request({
    url,
    method,
    headers,
    ...(body && { data: body }),
    ...options,
  })
  return { status, text: data }
}

const readFetched = async (response: { status: number; text(): Promise<string> }): Promise<Answered> => ({
  status: response.status,
  text: await response.text(),
})

export const clients: Record<string, Client> = {
  fetch: async (asked) =>
    readFetched(await fetch(asked.url, { ...asked, method: methodOf(asked), body: asked.body ?? null })),

  'node:http': ({ url, headers, body }) =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'PATCH'
      const request = httpRequest(url, { method, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', reject)
      })
      request.on('error', reject).end(body)
    }),

  axios: (asked) => byAxios(asked, 'http'),

  'axios by fetch': (asked) => byAxios(asked, 'fetch'),

  async got({ url, headers, body }) {
    const options = { headers, retry: { limit: 0 }, throwHttpErrors: false }
    const { statusCode, body: text } = await (body === undefined
      ? got.get(url, options)
      : got.patch(url, { ...options, body }))
    return { status: statusCode, text }
  },

  ky: async (asked) => {
    const options = { method: methodOf(asked), headers: asked.headers, retry: 0, throwHttpErrors: false }
    return readFetched(
      await ky(asked.url, { ...options, ...(asked.body !== undefined && { body: asked.body }) }),
    )
  },

  async superagent({ url, headers, body }) {
    let text = ''
    const request = superagent(body === undefined ? 'GET' : 'PATCH', url)
      .set(headers)
      .ok(() => true)
      .buffer()
      .parse((message, done) => {
        message.setEncoding('utf8').on('data', (piece) => {
          text += piece
        })
        message.on('end', () => done(null))
      })
    const { status } = await (body === undefined ? request : request.send(body))
    return { status, text }
  },

  'fetch of undici': async (asked) =>
    readFetched(
      await undiciFetch(asked.url, { ...asked, method: methodOf(asked), body: asked.body ?? null }),
    ),

  async 'request of undici'({ url, headers, body }) {
    const method = body === undefined ? 'GET' : 'PATCH'
    const { statusCode, body: answer } = await undiciRequest(url, { method, headers, body: body ?? null })
    return { status: statusCode, text: await answer.text() }
  },
}

/** Sends a request with the client's own retry policy, without delays if they are configurable. */
export const retrying: Record<string, Client> = {
  async got({ url, headers }) {
    const { statusCode, body } = await got(url, { headers, retry: { limit: 2, calculateDelay: once } })
    return { status: statusCode, text: body }
  },

  ky: async ({ url, headers }) =>
    readFetched(await ky(url, { headers, retry: { limit: 2, delay: () => 1 } })),

  async superagent({ url, headers }) {
    const { status, text = '' } = await superagent('GET', url).set(headers).retry(2)
    return { status, text }
  },
}

/** Returns the decision of got without its delay. */
function once({ computedValue }: { computedValue: number }): number {
  return computedValue > 0 ? 1 : 0
}
