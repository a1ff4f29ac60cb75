import { filterNames } from '../../service/operations/list-webhooks.js'
import { type Answer, asFields, type Fields, get, objectOf, rowsOf } from '../service-client.js'
import { nothingOf } from './message-probes.js'
import {
  all,
  byCreation,
  defineChoice,
  defineProbe,
  hasStatus,
  isInvalid,
  isList,
  isUnauthorized,
  onlyOf,
  orderOf,
  type Requests,
  type Sign,
} from './probe.js'
import { allWebhooks, nobody } from './survey.js'

const oneMessage = get('mail/messages', { limit: 1 })
const unknownIdentity = get(`identities/${nobody.handle}`)

/** Requests that a service may refuse as invalid; the last one is invalid under every assumption. */
const invalid = ['mail/threads?limit=abc', 'mail/messages?limit=abc', 'identities/%ZZ'].map((path) =>
  get(path),
)

const otherCase: Requests = ({ agent }) => {
  if (!agent) return 'no agent is known; name one with --agent'
  const handle = swapCase(agent.handle)
  return handle === agent.handle
    ? 'the handle has no letters'
    : [get(`identities/${encodeURIComponent(handle)}`)]
}

/** The probes of keys, errors, paths, identities and formats. */
export const requestProbes = [
  defineChoice('auth.webhooks', () => [{ ...allWebhooks, key: 'none' }], {
    required: all(isUnauthorized),
    'not-required': all(isList('webhooks')),
  }),
  defineChoice('auth.keys', () => [{ ...oneMessage, key: 'made-up' }], {
    'any-key': all(isList('messages')),
    'listed-keys': all(isUnauthorized),
  }),
  defineChoice('auth.missing-status', () => [{ ...oneMessage, key: 'none' }], {
    401: all(hasStatus(401)),
    403: all(hasStatus(403)),
  }),
  defineProbe(
    'errors.body',
    () => [unknownIdentity],
    (answers) => onlyOf(answers.map(shapeOf)),
  ),
  defineChoice('errors.validation-status', () => invalid, {
    400: (answers) => all(hasStatus(400))(answers.filter(isInvalid)),
    422: (answers) => all(hasStatus(422))(answers.filter(isInvalid)),
  }),
  defineChoice('errors.not-found-code', () => [unknownIdentity], {
    generic: all((answer) => codeOf(answer) === 'not_found'),
    specific: all((answer) => codeOf(answer) === 'agent_not_found'),
  }),
  defineChoice('errors.unknown-operation', () => [get('calibration-of-nothing')], {
    404: all(hasStatus(404)),
    501: all(hasStatus(501)),
  }),
  defineChoice('query.unknown-parameters', () => [get('mail/messages?limit=1&calibration=1')], {
    ignored: all(isList('messages')),
    rejected: all(isInvalid),
  }),
  defineChoice('query.repeated-parameter', () => [get('mail/messages?limit=1&limit=2')], {
    first: (answers, { messages }) => messages.length > 1 && all(isList('messages', 1))(answers),
    last: all(isList('messages', 2)),
    rejected: all(isInvalid),
  }),
  defineChoice('path.trailing-slash', () => [get('webhooks/')], {
    // A path that is no operation may be answered like any other.
    'not-found': all(hasStatus(404, 501)),
    same: all(isList('webhooks')),
  }),
  defineChoice('identities.handle-case', otherCase, {
    exact: all(hasStatus(404)),
    insensitive: ([answer], { agent }) => answer && objectOf(answer)?.['agent_handle'] === agent?.handle,
  }),
  defineChoice('identities.handle-format', () => [get('identities/no%20such%20agent')], {
    'not-found': all(hasStatus(404)),
    rejected: all(isInvalid),
  }),
  defineProbe(
    'format.timestamps',
    ({ mail }) => [...mail, allWebhooks],
    (answers) => {
      const rows = answers.flatMap((answer) =>
        ['messages', 'webhooks'].flatMap((list) => rowsOf(answer, list) ?? []),
      )
      return onlyOf(rows.map(({ created_at }) => precisionOf(String(created_at))))
    },
  ),
  defineChoice('format.cors', () => [{ ...oneMessage, headers: { origin: 'https://calibration.invalid' } }], {
    none: all(({ headers }) => !headers.has('access-control-allow-origin')),
    permissive: all(({ headers }) => headers.get('access-control-allow-origin') === '*'),
  }),
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

/** Returns a text in the other case. */
export function swapCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
}

const pairs = Object.keys(filterNames) as (keyof typeof filterNames)[]

/** Returns requests for all webhooks, and for those of nothing by each name that a filter may have. */
function filtered(index: 0 | 1, value: string): Requests {
  return () => [allWebhooks, ...pairs.map((pair) => get('webhooks', { [filterNames[pair][index]]: value }))]
}

/** Returns whether only the filter of one pair makes a difference; others are refused or ignored. */
function onlyFilters(pair: keyof typeof filterNames): Sign {
  return ([first, ...answers]) => {
    const count = rowsIn(first).length
    return answers.every((answer, index) => {
      if (pairs[index] === pair) return isList('webhooks', 0)(answer)
      return isInvalid(answer) || (count > 0 && isList('webhooks', count)(answer))
    })
  }
}

/** Returns whether the filter by an agent that nobody is gives this many rows, where that differs from the others. */
function ofNobody(expected: (rows: readonly Fields[]) => number): Sign {
  return ([first, ...answers]) => {
    const rows = rowsIn(first)
    const unscoped = rows.filter(isUnscoped).length
    const counts = answers.filter(isList('webhooks')).map((answer) => rowsIn(answer).length)
    const isClear = unscoped > 0 && unscoped < rows.length
    // Under another name, the filter is ignored.
    return isClear && onlyOf(counts.filter((count) => count !== rows.length)) === expected(rows)
  }
}

function rowsIn(answer: Answer | undefined): readonly Fields[] {
  return (answer && rowsOf(answer, 'webhooks')) ?? []
}

/** Returns whether a subscription has no agent, under any assumption. */
function isUnscoped({ agent_handle: handle }: Fields): boolean {
  return handle === undefined || handle === null || handle === ''
}

/** The probes of the list of webhooks. */
export const webhookProbes = [
  defineChoice('webhooks.filter-names', filtered(1, nobody.event), {
    'agent+event': onlyFilters('agent+event'),
    'agent_handle+event_type': onlyFilters('agent_handle+event_type'),
    'handle+type': onlyFilters('handle+type'),
  }),
  defineChoice('webhooks.agent-filter-unscoped', filtered(0, nobody.handle), {
    excluded: ofNobody(() => 0),
    included: ofNobody((rows) => rows.filter(isUnscoped).length),
  }),
  defineProbe(
    'webhooks.auth-token-absent',
    () => [allWebhooks],
    ([first]) => {
      const without = rowsIn(first).filter(({ has_auth_token }) => has_auth_token === false)
      return onlyOf(without.map(({ auth_token }) => nothingOf(auth_token)))
    },
  ),
  defineProbe(
    'webhooks.unscoped-handle',
    () => [allWebhooks],
    ([first]) => {
      return onlyOf(
        rowsIn(first)
          .filter(isUnscoped)
          .map(({ agent_handle }) => nothingOf(agent_handle)),
      )
    },
  ),
  defineProbe(
    'webhooks.order',
    () => [allWebhooks],
    ([first]) => orderOf([rowsIn(first)], byCreation),
  ),
]
