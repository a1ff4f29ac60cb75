import {
  AssumptionError,
  ClockError,
  CodedError,
  CommandError,
  FaultError,
  SnapshotError,
  StateError,
  WorldError,
} from '../../../service/model/errors.js'
import { ScenarioError } from '../../../story/read/problem.js'
import type { Rejection } from '../guards.js'

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

/** Thrown when the control API refuses a request, before anything has changed. */
export class ControlError extends CodedError<keyof typeof statuses> {
  override readonly name = 'ControlError'
}

/** Returns the response to an error; undefined if the error is a defect. */
export function rejectionOf(error: unknown): Rejection | undefined {
  if (error instanceof ControlError) {
    const { code, message } = error
    return { status: statuses[code], code, message }
  }
  if (error instanceof StateError) {
    const { message, retryAfter = 1 } = error
    const headers = { 'retry-after': String(retryAfter) }
    const code = `state_${codeOf(error)}`
    return error.code === 'damaged' ? { status: 500, code, message } : { status: 503, code, message, headers }
  }
  if (error instanceof WorldError && error.code === 'no-moment') {
    return { status: 404, code: 'no_moment', message: error.message }
  }
  // The world was deleted while the request was handled.
  if (error instanceof WorldError) return { status: 404, code: 'unknown_world', message: error.message }
  if (error instanceof CommandError) {
    const code = error.code === 'too-large' ? 'content_too_large' : codeOf(error)
    return { status: statusOfCommand(error), code, message: error.message }
  }
  if (error instanceof ScenarioError) {
    const code = error.code === 'not-found' ? 'unknown_scenario' : 'invalid_scenario'
    return { status: 400, code, message: error.message }
  }
  if (isUndecodable(error)) {
    return {
      status: 400,
      code: 'invalid_target',
      message: 'The percent-encoding of the path is not valid; write a % as %25.',
    }
  }
  const families = [AssumptionError, ClockError, FaultError, SnapshotError]
  if (!families.some((family) => error instanceof family)) return undefined
  const { code, message } = error as AssumptionError
  // The schema of the route accepted the body, but `faults.add` checks more, such as whether an operation exists.
  const isWrongValue = error instanceof FaultError && error.code === 'invalid'
  return { status: 400, code: isWrongValue ? 'invalid_body' : codeOf({ code }), message }
}

/** Returns whether Express failed to decode the parameters of a path. */
function isUndecodable(error: unknown): boolean {
  return error instanceof URIError && 'status' in error && error.status === 400
}

function statusOfCommand({ code }: CommandError): number {
  if (code === 'too-large') return 413
  if (code === 'too-many') return 429
  if (code === 'world-full') return 507
  return code === 'not-found' ? 404 : code === 'conflict' ? 409 : 400
}

/** Converts the code of an error to the form used in responses: `unknown-gap` → `unknown_gap`. */
function codeOf({ code }: { readonly code: string }): string {
  return code.replaceAll('-', '_')
}
