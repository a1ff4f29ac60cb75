import { CodedError } from '../service/model/errors.js'

/** Why a live service could not be used. */
export type LiveErrorCode =
  | 'refused'
  | 'not-the-service'
  | 'unknown-agent'
  | 'unreachable'
  | 'rate-limited'
  | 'too-many-requests'
  | 'unexpected'
  | 'interrupted'

/** Thrown when work with a live service cannot continue. */
export class LiveError extends CodedError<LiveErrorCode> {
  override readonly name = 'LiveError'
}
