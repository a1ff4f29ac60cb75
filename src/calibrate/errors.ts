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
export class CalibrationError extends Error {
  override readonly name = 'CalibrationError'
  readonly code: CalibrationErrorCode

  constructor(code: CalibrationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
