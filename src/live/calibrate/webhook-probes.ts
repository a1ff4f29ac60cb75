import { filterNames } from '../../service/operations/list-webhooks.js'
import { type Answer, type Fields, get, rowsOf } from '../answer.js'
import { byCreation, orderOf } from './lists.js'
import { nothingOf } from './message-probes.js'
import { defineChoice, defineProbe, isInvalid, isList, onlyOf, type Requests, type Sign } from './probe.js'
import { allWebhooks, nobody } from './survey.js'

const list = 'webhooks'
const pairs = Object.keys(filterNames) as (keyof typeof filterNames)[]

/** Returns requests for all webhooks, and for those of nothing by each name that a filter may have. */
function filtered(index: 0 | 1, value: string): Requests {
  return () => [allWebhooks, ...pairs.map((pair) => get(list, { [filterNames[pair][index]]: value }))]
}

/** Returns whether only the filter of one pair makes a difference; others are refused or ignored. */
function onlyFilters(pair: keyof typeof filterNames): Sign {
  return ([first, ...answers]) => {
    const count = rowsIn(first).length
    return answers.every((answer, index) => {
      if (pairs[index] === pair) return isList(list, 0)(answer)
      return isInvalid(answer) || (count > 0 && isList(list, count)(answer))
    })
  }
}

/** Returns whether the filter by an agent that nobody is gives this many rows, where that differs from the others. */
function ofNobody(expected: (rows: readonly Fields[]) => number): Sign {
  return ([first, ...answers]) => {
    const rows = rowsIn(first)
    const unscoped = rows.filter(isUnscoped).length
    const counts = answers.filter(isList(list)).map((answer) => rowsIn(answer).length)
    const isClear = unscoped > 0 && unscoped < rows.length
    // Under another name, the filter is ignored.
    return isClear && onlyOf(counts.filter((count) => count !== rows.length)) === expected(rows)
  }
}

function rowsIn(answer: Answer | undefined): readonly Fields[] {
  return (answer && rowsOf(answer, list)) ?? []
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
