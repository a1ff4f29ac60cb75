import type { GapId } from '../../contract/gaps.js'
import { createChoosingSettle } from '../../service/assumptions/settle.js'
import { errorFacts, notFoundCode, type RequestError } from '../../service/operations/request-error.js'
import { editableFields } from '../../service/operations/update-identity.js'
import type { Choose } from './elimination.js'
import { asFields, type Fields, objectOf, type ProbeAnswer, type ProbeExchange, rowsOf } from './exchange.js'
import type { KnownPage, MailboxView } from './mailbox-view.js'

/** A response, and the data that it is compared with. */
export interface Comparison {
  readonly answer: ProbeAnswer
  readonly view: MailboxView
  readonly choose: Choose
  /** Gaps that the comparison ignores, because the service is known to deviate there. */
  readonly lenient: ReadonlySet<GapId>
  /** The identity as it was before an update. */
  readonly before?: Fields | undefined
}

/** A prediction of a response under some assumptions. */
export interface Prediction {
  /** Returns whether a response matches the prediction. */
  readonly fits: (comparison: Comparison) => boolean
  readonly page?: PredictedPage
}

/** A page of a list. */
type PredictedPage = Pick<KnownPage, 'list' | 'scope' | 'offset' | 'limit'>

/** The prediction that any response matches, because too little is known. */
export const anything: Prediction = { fits: () => true }

/** Predicts the download of a stored file. */
export const predictedFile: Prediction = { fits: ({ answer }) => answer.status === 200 }

/** Predicts the identity with a handle. */
export function predictedIdentity(handle: string): Prediction {
  return { fits: ({ answer }) => answer.status === 200 && objectOf(answer)?.['agent_handle'] === handle }
}

/** Predicts a list of which only the name is known. */
export function predictedList(list: string): Prediction {
  return { fits: ({ answer }) => rowsOf(answer, list) !== undefined }
}

/**
 * Predicts an identity after an update. `isTouched` says whether `updated_at` changes although nothing was set;
 * undefined if something was set.
 */
export function predictedUpdate(handle: string, fields: Fields, isTouched: boolean | undefined): Prediction {
  return { fits: ({ answer, before }) => fitsUpdate(answer, before) }

  function fitsUpdate(answer: ProbeAnswer, before: Fields | undefined): boolean {
    const identity = answer.status === 200 ? objectOf(answer) : undefined
    if (identity?.['agent_handle'] !== handle) return false
    const known = Object.keys(before ?? {})
    // An unknown field that was sent must not be stored.
    if (before && Object.keys(identity).some((field) => !known.includes(field))) return false
    if (Object.entries(fields).some(([field, value]) => identity[field] !== value)) return false
    const others = known.filter((field) => isEditable(field) && !(field in fields))
    if (others.some((field) => identity[field] !== before?.[field])) return false
    return isTouched === undefined || (identity['updated_at'] !== before?.['updated_at']) === isTouched
  }
}

/** Returns whether an update may set a field of an identity. @see interface 4.2 */
export function isEditable(field: string): boolean {
  return editableFields().some((name) => name === field)
}

/** Predicts the response to a refused request; its message is not predicted. */
export function predictedRefusal(error: RequestError): Prediction {
  return { fits: fitsRefusal }

  function fitsRefusal({ answer, choose, lenient }: Comparison): boolean {
    const settle = createChoosingSettle(choose)
    const { kind, subject } = error
    if (answer.status !== errorFacts(error, settle).status) return false
    // Routers often respond in a different form.
    if (kind === 'unknown-operation' || kind === 'method-not-allowed' || lenient.has('errors.body'))
      return true
    const shape = choose('errors.body')
    if (shape !== shapeOf(answer)) return false
    if (subject === undefined || !(shape === 'error-object' || shape === 'flat')) return true
    return lenient.has('errors.not-found-code') || codeOf(answer) === notFoundCode(subject, settle)
  }
}

/** Returns the assumption of `errors.body` that describes the shape of a response; undefined if none does. */
function shapeOf(answer: ProbeAnswer): string | undefined {
  const body = objectOf(answer)
  if (!body) return undefined
  const error = asFields(body['error'])
  if (error) return isText(error['code']) && isText(error['message']) ? 'error-object' : undefined
  if (body['error'] !== undefined) return undefined
  if (isText(body['title']) && body['status'] === answer.status) return 'problem'
  if (isText(body['code'])) return isText(body['message']) ? 'flat' : undefined
  if (body['code'] !== undefined || (isText(body['detail']) && isText(body['message']))) return undefined
  if (isText(body['detail'])) return 'detail'
  return isText(body['message']) ? 'message' : undefined
}

function codeOf(answer: ProbeAnswer): unknown {
  const body = objectOf(answer)
  return (asFields(body?.['error']) ?? body)?.['code']
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Predicts a page of a list, as far as its rows are known. */
export function predictedPage(page: PredictedPage): Prediction {
  const { list, scope, offset, limit } = page
  return { page, fits: fitsPage }

  function fitsPage({ answer, view, lenient }: Comparison): boolean {
    const rows = rowsOf(answer, list)
    if (!rows) return false
    const [minimum, maximum] = view.bounds(list, scope)
    const within = (count: number): number => Math.min(limit, Math.max(0, count - offset))
    if (rows.length < within(minimum) || rows.length > within(maximum)) return false
    if (lenient.has(`${list}.order`)) return true
    const ids = rows.map(({ id }) => id as string)
    const known = view.list(list, scope).ids
    if (ids.some((id, index) => (known.get(offset + index) ?? id) !== id)) return false
    const elsewhere = new Map([...known].map(([position, id]) => [id, position]))
    if (ids.some((id, index) => (elsewhere.get(id) ?? offset + index) !== offset + index)) return false
    return list !== 'threads' || scope.of !== 'agents' || holdsOnly(ids, scope.handles, { view, offset })
  }
}

/** Returns whether the threads on a page can be the first ones of some agents, and of no other agent. */
function holdsOnly(
  ids: readonly string[],
  handles: readonly string[],
  { view, offset }: { readonly view: MailboxView; readonly offset: number },
): boolean {
  for (const handle of view.agents.keys()) {
    const known = view.list('threads', { of: 'agents', handles: [handle] }).ids
    const first = firstOf(known)
    const positions = new Map(first.map((id, position) => [id, position]))
    const found = ids.flatMap((id) => positions.get(id) ?? [])
    if (!handles.includes(handle)) {
      if (found.length > 0) return false
    } else if (offset === 0 && found.some((position, index) => position !== index)) return false
  }
  return true
}

/** Returns the ids at the beginning of a list, up to the first unknown one. */
function firstOf(known: ReadonlyMap<number, string>): string[] {
  const ids: string[] = []
  for (let id = known.get(0); id !== undefined; id = known.get(ids.length)) ids.push(id)
  return ids
}

/** Predicts the webhooks for an event and an agent; without a handle, for an agent that does not exist. */
export function predictedWebhooks(
  event?: string,
  agent?: { readonly handle: string | undefined; readonly withUnscoped: boolean },
): Prediction {
  return { fits: ({ answer, view }) => fitsWebhooks(rowsOf(answer, 'webhooks'), view) }

  function fitsWebhooks(rows: readonly Fields[] | undefined, view: MailboxView): boolean {
    if (!rows || !view.webhooks) return rows !== undefined
    const expected = view.webhooks.filter((webhook) => {
      const { events, agent_handle: handle } = webhook as { events?: unknown; agent_handle?: unknown }
      if (event !== undefined && !(Array.isArray(events) && events.includes(event))) return false
      if (!agent) return true
      return isUnscoped(handle) ? agent.withUnscoped : handle === agent.handle
    })
    const ids = new Set(rows.map(({ id }) => id))
    return expected.length === rows.length && expected.every(({ id }) => ids.has(id))
  }
}

/** Returns whether the handle of a webhook means that it has none, under any assumption. */
export function isUnscoped(handle: unknown): boolean {
  return handle === undefined || handle === null || handle === ''
}

/** Returns the page that a response contains, if a page was predicted. */
export function pageIn({ page }: Prediction, { answer, number }: ProbeExchange): KnownPage | undefined {
  const rows = page && rowsOf(answer, page.list)
  return rows && { ...page, rows, total: objectOf(answer)?.['total'], number }
}
