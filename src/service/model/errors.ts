import { idPrefixes } from './rows.js'
/** An error with a code from a closed set: the code is for programs, the message for people. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * Thrown when a world cannot do what is asked, be it a command, a fault, a move of its clock, a choice of assumptions or a
 * snapshot; nothing has changed.
 */
export class WorldError extends CodedError<
  | 'invalid'
  | 'malformed'
  | 'not-found'
  | 'conflict'
  | 'impossible'
  | 'too-large'
  | 'too-many'
  | 'unknown-recipient'
  | 'unknown-command'
  | 'unknown-gap'
  | 'unknown-assumption'
  | 'unknown-profile'
  | 'unknown-mode'
  | 'backwards'
  | 'busy'
  | 'stopped'
  | 'wrong-version'
  | 'wrong-scenario'
  | 'inconsistent'
  | 'masked'
  | 'world-full'
  | 'closed'
  | 'no-moment'
> {
  override readonly name = 'WorldError'
}

/** Thrown when the store of the worlds' logs cannot do what is asked; `retryAfter` is in seconds. */
export class StateError extends CodedError<
  'unavailable' | 'moved' | 'damaged' | 'in-use' | 'other-start' | 'missing' | 'unknown'
> {
  override readonly name = 'StateError'
  readonly retryAfter: number | undefined

  constructor(code: StateError['code'], message: string, retryAfter?: number) {
    super(code, message)
    this.retryAfter = retryAfter
  }
}

/** Returns the error for a request to a world that this process no longer owns. */
export function givenUp(id: string): StateError {
  const reasons =
    'another server has claimed it, its log could not be written, or this server is being stopped'
  return new StateError('moved', `The world "${id}" was given up: ${reasons}. Try again.`, 1)
}

/** Where users find valid ids, over HTTP and in process. */
const listings = {
  organization: 'the scenario has them',
  identity: 'GET /_sim/identities and sim.identities.list() list them',
  thread: 'GET /_sim/threads and sim.threads.list() list them',
  message: 'GET /_sim/threads/{id} and sim.mailbox.conversation(id) list those of a thread',
  attachment: 'GET /_sim/threads/{id} and sim.mailbox.conversation(id) list those of a thread',
  webhook: 'GET /_sim/webhooks and sim.webhooks.list() list them',
  value: 'GET /_sim/snapshot and sim.snapshot() have them',
  delivery: 'GET /_sim/deliveries and sim.deliveries.list() list those that are kept',
} as const

/** Creates the error for an unknown id. It says if the id is of another kind, and where valid ids are listed. */
export function unknownId(kind: keyof typeof listings, id: string, where = 'in this world'): WorldError {
  const other = Object.entries(idPrefixes).find(([name, prefix]) => {
    return name !== kind && name in listings && String(id).startsWith(`${prefix}_`)
  })
  const mistaken = other
    ? `, since this is the id of ${/^[aio]/.test(other[0]) ? 'an' : 'a'} ${other[0]}`
    : ''
  return new WorldError('not-found', `There is no ${kind} "${id}" ${where}${mistaken}; ${listings[kind]}.`)
}
