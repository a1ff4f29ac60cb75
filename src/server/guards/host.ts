import type { Rejection } from '../rejection.js'
import type { Guard } from './guard.js'

const hostForm = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d*)?$/i

/** The name in a `Host` field, in lower case and without the port; undefined when it is malformed. */
export function parseHost(field: string): string | undefined {
  if (!hostForm.test(field) || !URL.canParse(`http://${field}`)) return undefined
  return new URL(`http://${field}`).hostname
}

/** The names a server goes by: a request for another one was led here by somebody else's DNS. */
export class HostNames {
  readonly #names: ReadonlySet<string>

  /** `names` are the ones allowed besides those of this machine for itself; ports are ignored. */
  constructor(names: readonly string[]) {
    this.#names = new Set(['localhost', '127.0.0.1', '[::1]', ...names])
  }

  /** The answer to a request for a name that is none of these. */
  reject(name: string): Rejection | undefined {
    if (this.#names.has(name)) return undefined
    const names = [...this.#names].join(', ')
    return {
      status: 421,
      code: 'misdirected_request',
      message: `This server does not go by the name ${name}, but by ${names}; --allow-host ${name} adds it.`,
    }
  }
}

/** Refuses requests whose `Host` is missing, malformed or not one of the names. */
export function createHostGuard(names: HostNames): Guard {
  return ({ headersDistinct }) => {
    const [field, ...further] = headersDistinct['host'] ?? []
    const name = field === undefined || further.length > 0 ? undefined : parseHost(field)
    if (name !== undefined) return names.reject(name)
    return { status: 400, code: 'invalid_host', message: 'The request needs one well-formed Host header.' }
  }
}
