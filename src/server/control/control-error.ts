import { ScenarioError } from '../../scenario/index.js'
import {
  ClockError,
  CommandError,
  FaultError,
  ReadingError,
  SnapshotError,
  WorldError,
} from '../../world/index.js'
import type { Rejection } from '../rejection.js'

const statuses = {
  unsupported_media_type: 415,
  content_too_large: 413,
  invalid_json: 400,
  invalid_body: 400,
  invalid_query: 400,
  unknown_world: 404,
  not_found: 404,
  conflict: 409,
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
  // A world that was thrown away while the request was under way is one that is not there.
  if (error instanceof WorldError) return { status: 404, code: 'unknown_world', message: error.message }
  if (error instanceof CommandError) {
    return { status: statusOfCommand(error), code: codeOf(error), message: error.message }
  }
  if (error instanceof ScenarioError) {
    const code = error.code === 'not-found' ? 'unknown_scenario' : 'invalid_scenario'
    return { status: 400, code, message: error.message }
  }
  if (isUndecodable(error)) {
    return { status: 400, code: 'invalid_target', message: 'The percent-encoding of the path is wrong.' }
  }
  const families = [ReadingError, ClockError, FaultError, SnapshotError]
  if (!families.some((family) => error instanceof family)) return undefined
  const { code, message } = error as ReadingError
  return { status: 400, code: codeOf({ code }), message }
}

/** Express says so of a path whose parameters it cannot decode. */
function isUndecodable(error: unknown): boolean {
  return error instanceof URIError && 'status' in error && error.status === 400
}

function statusOfCommand({ code }: CommandError): number {
  return code === 'not-found' ? 404 : code === 'conflict' ? 409 : 400
}

/** `unknown-gap` → `unknown_gap`, as codes of answers are written. */
function codeOf({ code }: { readonly code: string }): string {
  return code.replaceAll('-', '_')
}
