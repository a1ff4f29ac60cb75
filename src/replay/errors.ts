/** A replay that could not be played. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
  readonly code: 'interrupted' | 'not-ready'

  constructor(code: ReplayError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** A tape that cannot be used or written. */
export class TapeError extends Error {
  override readonly name = 'TapeError'
  readonly code:
    | 'unreadable'
    | 'unwritable'
    | 'not-a-tape'
    | 'wrong-version'
    | 'wrong-scenario'
    | 'malformed'
    | 'unknown-field'

  constructor(code: TapeError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
