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
