import { CodedError } from '../world/errors.js'

/** A replay that could not be played. */
export class ReplayError extends CodedError<'interrupted' | 'not-ready'> {
  override readonly name = 'ReplayError'
}

/** A tape that cannot be used or written. */
export class TapeError extends CodedError<
  | 'unreadable'
  | 'unwritable'
  | 'not-a-tape'
  | 'wrong-version'
  | 'wrong-scenario'
  | 'malformed'
  | 'unknown-field'
> {
  override readonly name = 'TapeError'
}
