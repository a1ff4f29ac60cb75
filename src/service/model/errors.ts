/** An error with a code from a closed set: the code is for programs, the message for people. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Thrown for a command that cannot be applied; the world is unchanged. */
export class CommandError extends CodedError<
  | 'invalid'
  | 'too-large'
  | 'too-many'
  | 'not-found'
  | 'conflict'
  | 'unknown-recipient'
  | 'unknown-command'
  | 'world-full'
> {
  override readonly name = 'CommandError'
}

/** Thrown for an assumption, profile or gap that does not exist. */
export class AssumptionError extends CodedError<
  'unknown-gap' | 'unknown-assumption' | 'unknown-profile' | 'malformed'
> {
  override readonly name = 'AssumptionError'
}

/** Thrown when a clock cannot do what is asked. */
export class ClockError extends CodedError<'backwards' | 'unknown-mode' | 'malformed' | 'busy' | 'stopped'> {
  override readonly name = 'ClockError'
}

/** Thrown for a fault rule that cannot be added; nothing has changed. */
export class FaultError extends CodedError<'invalid' | 'impossible' | 'too-many'> {
  override readonly name = 'FaultError'
}

/** Thrown for a snapshot that cannot be restored; the world is unchanged. */
export class SnapshotError extends CodedError<
  'malformed' | 'wrong-version' | 'wrong-scenario' | 'inconsistent' | 'masked'
> {
  override readonly name = 'SnapshotError'
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

/** Thrown for a change of a closed world, and for a moment of a world that cannot be had; nothing has changed. */
export class WorldError extends CodedError<'closed' | 'no-moment'> {
  override readonly name = 'WorldError'
}
