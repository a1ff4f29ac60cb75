/** A tape that cannot be used, or written. */
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

  constructor(code: TapeError['code'], message: string) {
    super(message)
    this.code = code
  }
}
