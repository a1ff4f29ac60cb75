import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { bearerKey, type ServiceRequest } from '../../service/operations/request.js'
import type { Service } from '../../service/requests/service.js'
import { formatHttpDate } from '../../service/time/time.js'
import type { HeaderFields } from '../../service/world/exchange.js'
import { isAwaited } from './connections.js'

/** Converts a request for the handlers, without its body; the guards have made sure that it has a `Host` and a path. */
export function readRequest(request: IncomingMessage): ServiceRequest {
  const { method = 'GET', url, headers } = request
  return {
    method,
    url: `http://${headers.host}${url}`,
    headers: fieldsOf(headers),
    // Only the state at this moment: if the client disconnects later, its response is dropped.
    get signal() {
      return isAwaited(request) ? new AbortController().signal : AbortSignal.abort()
    },
    clone: () => ({ body: null }),
  }
}

/** Returns the time of a request's world, which a response of the service carries as its date. */
export function dateFor(service: Service, request: ServiceRequest): string {
  return formatHttpDate(service.worlds.find(bearerKey(request)).world.clock.now())
}

/** Returns header fields with the methods of `Headers`; creating a `Headers` costs more than all look-ups in it. */
function fieldsOf(headers: IncomingHttpHeaders): HeaderFields {
  return {
    get(name) {
      const value = headers[name.toLowerCase()]
      return value === undefined ? null : String(value)
    },
    has: (name) => headers[name.toLowerCase()] !== undefined,
    *[Symbol.iterator]() {
      for (const name of Object.keys(headers).sort()) yield [name, String(headers[name])]
    },
  }
}
