/** Why a request is refused; which status and body that gives is settled when it is answered. */
export type RefusalKind =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'invalid-request'
  | 'method-not-allowed'
  | 'unknown-operation'
  | 'unsupported-media-type'
  | 'content-too-large'
  | 'rate-limited'
  | 'disturbed'

/** Characters of a message: a request quoted in it may be of any length. */
const longest = 300

/**
 * Thrown anywhere on a request's way: the answer is an error and the world stays as it is. It is no `Error`:
 * a client's mistake has no stack trace, and settling a gap may make one only to compare it.
 */
export class Refusal {
  readonly kind: RefusalKind
  readonly message: string
  /** What was not found, e.g. `agent`. */
  readonly subject: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The status a fault gives; every other kind has one of its own. */
  readonly status: number | undefined

  constructor(
    kind: RefusalKind,
    message: string,
    more: { subject?: string; headers?: Readonly<Record<string, string>>; status?: number } = {},
  ) {
    this.kind = kind
    this.message = message.length > longest ? `${message.slice(0, longest - 1)}…` : message
    this.subject = more.subject
    this.headers = more.headers ?? {}
    this.status = more.status
  }
}

/** Refuses a request whose parameters or body are wrong. */
export function reject(message: string): never {
  throw new Refusal('invalid-request', message)
}

/** Refuses a request that asks for something that is not there. */
export function notFound(subject: string, name: string): never {
  throw new Refusal('not-found', `There is no ${subject} "${name}".`, { subject })
}
