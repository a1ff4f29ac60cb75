import { CodedError, StateError, WorldError } from '../../service/model/errors.js'
import { ScenarioError } from '../../story/read/problem.js'

/** Thrown when the control API refuses a request, before anything has changed. */
export class ControlError extends CodedError<
  | 'unsupported_media_type'
  | 'content_too_large'
  | 'invalid_json'
  | 'invalid_body'
  | 'invalid_query'
  | 'unknown_world'
  | 'not_found'
  | 'conflict'
> {
  override readonly name = 'ControlError'
}

/** An error response of the control API. */
export interface Rejection {
  readonly status: number
  /** The stable name of the problem. */
  readonly code: string
  /** The problem and its remedy. */
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The codes whose status is not 400. */
const statuses: Readonly<Record<string, number>> = {
  unsupported_media_type: 415,
  content_too_large: 413,
  too_many: 429,
  unknown_world: 404,
  no_moment: 404,
  not_found: 404,
  conflict: 409,
  state_damaged: 500,
  world_full: 507,
}

/** The codes under which errors are answered, if they are not the errors' own. */
const codes: Readonly<Record<string, string>> = {
  'WorldError too-large': 'content_too_large',
  'WorldError invalid': 'invalid_body',
  'ScenarioError not-found': 'unknown_scenario',
  'StateError damaged': 'state_damaged',
  // The world was deleted while the request was handled.
  'WorldError closed': 'unknown_world',
}

const families = [ControlError, ScenarioError, StateError, WorldError]

/** Returns the response to an error; undefined if the error is a defect. */
export function rejectionOf(error: unknown): Rejection | undefined {
  if (isUndecodable(error)) {
    const message = 'The percent-encoding of the path is not valid; write a % as %25.'
    return { status: 400, code: 'invalid_target', message }
  }
  if (!families.some((family) => error instanceof family)) return undefined
  const { name, code: own, message } = error as Error & { readonly code: string }
  const plain = own.replaceAll('-', '_')
  if (error instanceof StateError && own !== 'damaged') {
    const headers = { 'retry-after': String(error.retryAfter ?? 1) }
    return { status: 503, code: `state_${plain}`, message, headers }
  }
  const code = codes[`${name} ${own}`] ?? (name === 'ScenarioError' ? 'invalid_scenario' : plain)
  return { status: statuses[code] ?? 400, code, message }
}

/** Returns whether Express failed to decode the parameters of a path. */
function isUndecodable(error: unknown): boolean {
  return error instanceof URIError && 'status' in error && error.status === 400
}
