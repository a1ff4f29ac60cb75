import { filterNames } from '../../service/operations/list-webhooks.js'
import { type Answer, asFields, type Fields, get, objectOf, rowsOf, uniqueRows } from '../service-client.js'
import {
  all,
  byCreation,
  defineProbe,
  defineRowProbe,
  hasStatus,
  isInvalid,
  isList,
  isUnauthorized,
  nothingOf,
  onlyOf,
  orderOf,
  type Probe,
  statusOf,
  swapCase,
} from './probe.js'
import { allWebhooks, nobody, ofAgent } from './survey.js'

const oneMessage = get('mail/messages', { limit: 1 })
const unknownIdentity = get(`identities/${nobody.handle}`)

/** Requests that a service may refuse as invalid; the last one is invalid under every assumption. */
const invalid = ['mail/threads?limit=abc', 'mail/messages?limit=abc', 'identities/%ZZ'].map((path) =>
  get(path),
)

/** The probes of keys, errors, paths, identities, formats and webhooks. */
export const requestProbes: readonly Probe[] = [
  defineProbe('auth.webhooks', [{ ...allWebhooks, key: 'none' }], {
    required: all(isUnauthorized),
    'not-required': all(isList('webhooks')),
  }),
  defineProbe('auth.keys', [{ ...oneMessage, key: 'made-up' }], {
    'any-key': all(isList('messages')),
    'listed-keys': all(isUnauthorized),
  }),
  defineProbe('auth.missing-status', [{ ...oneMessage, key: 'none' }], statusOf),
  defineProbe('errors.body', [unknownIdentity], ([answer]) => answer && shapeOf(answer)),
  defineProbe('errors.validation-status', invalid, (answers) => statusOf(answers.filter(isInvalid))),
  defineProbe('errors.not-found-code', [unknownIdentity], {
    generic: all((answer) => codeOf(answer) === 'not_found'),
    specific: all((answer) => codeOf(answer) === 'agent_not_found'),
  }),
  defineProbe('errors.unknown-operation', [get('calibration-of-nothing')], statusOf),
  defineProbe('query.unknown-parameters', [get('mail/messages?limit=1&calibration=1')], {
    ignored: all(isList('messages')),
    rejected: all(isInvalid),
  }),
  defineProbe('query.repeated-parameter', [get('mail/messages?limit=1&limit=2')], {
    first: (answers, { messages }) => messages.length > 1 && all(isList('messages', 1))(answers),
    last: all(isList('messages', 2)),
    rejected: all(isInvalid),
  }),
  defineProbe('path.trailing-slash', [get('webhooks/')], {
    // A path that is no operation may be answered like any other.
    'not-found': all(hasStatus(404, 501)),
    same: all(isList('webhooks')),
  }),
  defineProbe(
    'identities.handle-case',
    ofAgent(({ handle }) => [get(`identities/${encodeURIComponent(swapCase(handle))}`)]),
    {
      exact: (answers, { agent }) =>
        agent && swapCase(agent.handle) !== agent.handle && all(hasStatus(404))(answers),
      insensitive: ([answer], { agent }) => answer && objectOf(answer)?.['agent_handle'] === agent?.handle,
    },
  ),
  defineProbe('identities.handle-format', [get('identities/no%20such%20agent')], {
    'not-found': all(hasStatus(404)),
    rejected: all(isInvalid),
  }),
  defineProbe(
    'format.timestamps',
    ({ mail }) => [...mail, allWebhooks],
    (answers) => {
      const rows = ['messages', 'webhooks'].flatMap((list) => uniqueRows(answers, list))
      return onlyOf(rows.map(({ created_at }) => precisionOf(String(created_at))))
    },
  ),
  defineProbe('format.cors', [{ ...oneMessage, headers: { origin: 'https://calibration.invalid' } }], {
    none: all(({ headers }) => !headers.has('access-control-allow-origin')),
    permissive: all(({ headers }) => headers.get('access-control-allow-origin') === '*'),
  }),
  defineProbe('webhooks.filter-names', filtered(1, nobody.event), ([, ...answers]) => {
    // Under another name, the filter is refused or ignored.
    const isEmpty = answers.map(isList('webhooks', 0))
    return onlyOf(Object.keys(filterNames).filter((_, index) => isEmpty[index]))
  }),
  defineProbe('webhooks.agent-filter-unscoped', filtered(0, nobody.handle), ([first, ...answers]) => {
    const rows = rowsIn(first)
    const unscoped = rows.filter(isUnscoped).length
    const counts = answers.filter(isList('webhooks')).map((answer) => rowsIn(answer).length)
    const count = onlyOf(counts.filter((one) => one !== rows.length))
    if (unscoped === 0 || unscoped === rows.length) return undefined
    return count === 0 ? 'excluded' : count === unscoped && 'included'
  }),
  defineRowProbe('webhooks.auth-token-absent', 'webhooks', [allWebhooks], (row) => {
    return row['has_auth_token'] === false ? nothingOf(row['auth_token']) : []
  }),
  defineRowProbe('webhooks.unscoped-handle', 'webhooks', [allWebhooks], (row) => {
    return isUnscoped(row) ? nothingOf(row['agent_handle']) : []
  }),
  defineProbe('webhooks.order', [allWebhooks], (answers) => orderOf(answers, 'webhooks', byCreation)),
]

function precisionOf(time: string): 'milliseconds' | 'seconds' | undefined {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)) return 'milliseconds'
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time) ? 'seconds' : undefined
}

function codeOf({ status, json }: Answer): unknown {
  const body = asFields(json)
  return status === 404 ? (asFields(body?.['error'])?.['code'] ?? body?.['code']) : undefined
}

/** Returns the shape of an error; undefined if it has none of those that are known. */
function shapeOf({ status, json }: Answer) {
  const body = asFields(json)
  const inner = asFields(body?.['error'])
  if (status < 400 || !body) return undefined
  if (inner) return hasTexts(inner, 'code', 'message') ? 'error-object' : undefined
  if (hasTexts(body, 'title', 'detail')) return 'problem'
  if (hasTexts(body, 'code', 'message')) return 'flat'
  if (body['code'] !== undefined || hasTexts(body, 'detail', 'message')) return undefined
  return hasTexts(body, 'detail') ? 'detail' : hasTexts(body, 'message') ? 'message' : undefined
}

function hasTexts(fields: Fields, ...names: readonly string[]): boolean {
  return names.every((name) => typeof fields[name] === 'string')
}

/** Returns requests for all webhooks, and for those of nothing by each name that a filter may have. */
function filtered(index: 0 | 1, value: string) {
  return [allWebhooks, ...Object.values(filterNames).map((pair) => get('webhooks', { [pair[index]]: value }))]
}

function rowsIn(answer: Answer | undefined): readonly Fields[] {
  return (answer && rowsOf(answer, 'webhooks')) ?? []
}

/** Returns whether a subscription has no agent, under any assumption. */
function isUnscoped({ agent_handle: handle }: Fields): boolean {
  return handle === undefined || handle === null || handle === ''
}
