import { JsonReader, JsonReadingError } from '../../base/json-reader.js'
import { once } from '../../base/once.js'
import { isRead } from '../../service/operations/request.js'
import type { Surface } from './surface.js'
import { maxMessageBytes, messageBounds } from './tool.js'

/** Returns the value of a message; undefined if it is not JSON, for which the protocol has a response. @throws JsonReadingError */
export function parseMessage(bytes: Uint8Array): unknown {
  const reader = new JsonReader(messageBounds)
  try {
    reader.add(bytes)
    return reader.end()
  } catch (error) {
    if (error instanceof JsonReadingError && error.code === 'malformed') return undefined
    throw error
  }
}

/** Returns the types that a client accepts in the words of the protocol, which names both of its own. */
export function acceptedBy(method: string, accept: string | null | undefined): string {
  if (accept && !accept.includes('*/*')) return accept
  return method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'
}

/** Returns a function that responds to the HTTP requests of this process; loads the protocol with the first one. */
export function createHttpAnswer(surface: () => Surface): (request: Request) => Promise<Response> {
  const endpoint = once(async () => {
    const { HttpEndpoint } = await import('./http.js')
    return new HttpEndpoint(surface())
  })
  return async (request) => {
    const { method, url, signal } = request
    const headers = new Headers(request.headers)
    headers.set('accept', acceptedBy(method, headers.get('accept')))
    const bytes = isRead(request) ? undefined : new Uint8Array(await request.arrayBuffer())
    if (bytes && bytes.length > maxMessageBytes) return tooLarge(`it has more than ${maxMessageBytes} bytes`)
    try {
      const value = bytes && parseMessage(bytes)
      const own = new Request(url, { method, headers, body: bytes ?? null, signal })
      return endingWith(await (await endpoint()).answer(own, value), signal)
    } catch (error) {
      if (error instanceof JsonReadingError) return tooLarge(error.message)
      throw error
    }
  }
}

function tooLarge(problem: string): Response {
  const error = { code: -32_600, message: `The message was not read: ${problem}.` }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 413 })
}

/** Ends a stream of events when its client leaves, as a connection does. */
function endingWith(answer: Response, signal: AbortSignal): Response {
  if (!answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
  const body = answer.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
  return new Response(body, answer)
}
