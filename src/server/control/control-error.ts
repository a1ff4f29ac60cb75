import { ReadingError } from '../../world/index.js'
import type { Rejection } from '../rejection.js'

const statuses = {
  unsupported_media_type: 415,
  content_too_large: 413,
  invalid_json: 400,
  invalid_body: 400,
} as const

/** A request the control API cannot do anything with; nothing has changed. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly code: keyof typeof statuses

  constructor(code: ControlError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** How an error is answered; undefined for one that is a defect. */
export function rejectionOf(error: unknown): Rejection | undefined {
  if (error instanceof ControlError) {
    const { code, message } = error
    return { status: statuses[code], code, message }
  }
  if (error instanceof ReadingError) {
    return { status: 400, code: error.code.replaceAll('-', '_'), message: error.message }
  }
  return undefined
}
