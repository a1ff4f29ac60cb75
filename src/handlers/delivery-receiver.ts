import type { RequestHandler } from 'msw'
import type { Receiver } from '../world/index.js'

/** A handler as MSW lists it, of which some take no requests at all. */
type ListedHandler = RequestHandler | { readonly kind: string }

/**
 * Has deliveries go to handlers of MSW, those there are when each of them comes. The service's own take none, since
 * what is delivered is no request to it.
 * @throws whatever a handler throws
 */
export function createHandlersReceiver(listed: () => readonly ListedHandler[]): Receiver {
  return async (request) => {
    // Whoever has handlers has loaded MSW; whoever has none need not.
    const { getResponse } = await import('msw')
    return getResponse(listed().filter(takesRequests), request)
  }
}

function takesRequests(handler: ListedHandler): handler is RequestHandler {
  return !('kind' in handler && handler.kind === 'websocket')
}

/** Has what a receiver passes through, as `passthrough()` of MSW does, go nowhere: no delivery is to leave the process. */
export function withoutPassthrough(receiver: Receiver): Receiver {
  return async (request) => {
    const response = await receiver(request)
    return response && !isPassthrough(response) ? response : undefined
  }
}

function isPassthrough({ status, headers }: Response): boolean {
  return status === 302 && headers.get('x-msw-intention') === 'passthrough'
}
