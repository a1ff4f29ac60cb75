/** A command that cannot be applied; the world is as it was. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: 'invalid' | 'not-found' | 'conflict' | 'unknown-recipient' | 'unknown-command'

  constructor(code: CommandError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** A reading, profile or gap that does not exist. */
export class ReadingError extends Error {
  override readonly name = 'ReadingError'
  readonly code: 'unknown-gap' | 'unknown-reading' | 'unknown-profile' | 'malformed'

  constructor(code: ReadingError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Something a clock cannot do. */
export class ClockError extends Error {
  override readonly name = 'ClockError'
  readonly code: 'backwards' | 'unknown-mode' | 'malformed' | 'busy' | 'stopped'

  constructor(code: ClockError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** A fault rule that cannot be added; nothing has changed. */
export class FaultError extends Error {
  override readonly name = 'FaultError'
  readonly code: 'invalid' | 'impossible'

  constructor(code: FaultError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** A snapshot that cannot be restored; the world is as it was. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
  readonly code: 'malformed' | 'wrong-version' | 'wrong-scenario' | 'inconsistent'

  constructor(code: SnapshotError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Something asked of a world that was closed; nothing has changed. */
export class WorldError extends Error {
  override readonly name = 'WorldError'
  readonly code: 'closed'

  constructor(code: WorldError['code'], message: string) {
    super(message)
    this.code = code
  }
}
