/** An error with a code of a closed set: programs compare the code, the message is for people. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A command that cannot be applied; the world is as it was. */
export class CommandError extends CodedError<
  'invalid' | 'too-large' | 'not-found' | 'conflict' | 'unknown-recipient' | 'unknown-command'
> {
  override readonly name = 'CommandError'
}

/** A reading, profile or gap that does not exist. */
export class ReadingError extends CodedError<
  'unknown-gap' | 'unknown-reading' | 'unknown-profile' | 'malformed'
> {
  override readonly name = 'ReadingError'
}

/** Something a clock cannot do. */
export class ClockError extends CodedError<'backwards' | 'unknown-mode' | 'malformed' | 'busy' | 'stopped'> {
  override readonly name = 'ClockError'
}

/** A fault rule that cannot be added; nothing has changed. */
export class FaultError extends CodedError<'invalid' | 'impossible' | 'too-many'> {
  override readonly name = 'FaultError'
}

/** A snapshot that cannot be restored; the world is as it was. */
export class SnapshotError extends CodedError<
  'malformed' | 'wrong-version' | 'wrong-scenario' | 'inconsistent' | 'masked'
> {
  override readonly name = 'SnapshotError'
}

/** What keeps the logs of worlds cannot do what is asked; `retryAfter` says in how many seconds it may. */
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

/** A change of a world that was closed; nothing has changed. */
export class WorldError extends CodedError<'closed'> {
  override readonly name = 'WorldError'
}
