import { CodedError } from '../world/errors.js'

/** Why a calibration stopped before its end, or cannot begin. */
export type CalibrationErrorCode =
  | 'refused'
  | 'rate-limited'
  | 'too-many-requests'
  | 'unreachable'
  | 'interrupted'
  | 'malformed'
  | 'not-put-back'

/** A calibration that cannot go on. */
export class CalibrationError extends CodedError<CalibrationErrorCode> {
  override readonly name = 'CalibrationError'
}
