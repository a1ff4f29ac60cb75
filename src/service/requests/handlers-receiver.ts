import type { RequestHandler } from 'msw'
import type { Receiver } from '../webhooks/transport.js'

/** A handler of MSW 2 or MSW 3. To TypeScript, their classes are unrelated, so no other type fits both. */
// biome-ignore lint/suspicious/noExplicitAny: handlers are passed on to one of them.
export type MswHandler = any

/** A server of MSW 2 or MSW 3, as `setupServer` returns it. */
export interface MswServer {
  use(...handlers: MswHandler[]): void
  listHandlers(): readonly MswHandler[]
}

/** A handler as MSW lists it; some kinds do not handle requests. */
type ListedHandler = RequestHandler | { readonly kind: string }

/**
 * Creates a receiver that passes each delivery to the MSW handlers that are in use at that time. The
 * service's own handlers ignore deliveries.
 * @throws any error of a handler
 */
export function createHandlersReceiver(listed: () => readonly ListedHandler[]): Receiver {
  return async (request) => {
    // Loaded on use, since a server has no handlers.
    const { getResponse } = await import('msw')
    return getResponse(listed().filter(handlesRequests), request)
  }
}

function handlesRequests(handler: ListedHandler): handler is RequestHandler {
  return !('kind' in handler && handler.kind === 'websocket')
}

/**
 * Wraps a receiver so that MSW's `passthrough()` counts as no response: no delivery may leave the process.
 */
export function withoutPassthrough(receiver: Receiver): Receiver {
  return async (request) => {
    const response = await receiver(request)
    return response && !isPassthrough(response) ? response : undefined
  }
}

function isPassthrough({ status, headers }: Response): boolean {
  return status === 302 && headers.get('x-msw-intention') === 'passthrough'
}
