import type { IncomingMessage } from 'node:http'
import type { ServiceRequest } from '../handlers/index.js'
import { IncomingFields } from './incoming-fields.js'

/** An incoming request whose body means nothing, as the service looks at it. */
export class BodilessRequest implements ServiceRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingFields

  /** `incoming` has passed the guards, which leave a `Host` and a path. */
  constructor({ method = 'GET', url, headers }: IncomingMessage) {
    this.method = method
    this.url = `http://${headers.host}${url}`
    this.headers = new IncomingFields(headers)
  }

  /** What is on its way to a client that has gone goes into the void. */
  get signal(): AbortSignal {
    return new AbortController().signal
  }

  clone(): { readonly body: null } {
    return { body: null }
  }
}
