import type { z } from '../../base/schema.js'
import type { Action } from './action.js'
import { agent } from './agent.js'
import { assume } from './assume.js'
import { approvePending, rejectPending } from './decide.js'
import { clearFaults, fault } from './fault.js'
import { read, unread } from './mark.js'
import { bounce, deliver } from './outcome.js'
import { receive } from './receive.js'
import { redeliver } from './redeliver.js'
import { send } from './send.js'
import { update } from './update.js'

/** Every action by its key, in the order of the documentation. An entry of a timeline has exactly one of them. */
export const actions = {
  receive,
  send,
  read,
  unread,
  update,
  deliver,
  bounce,
  fault,
  clear_faults: clearFaults,
  redeliver,
  assume,
  agent,
  approve: approvePending,
  reject: rejectPending,
} as const

/** The keys of the actions. */
export type ActionName = keyof typeof actions

export const actionNames = Object.keys(actions) as ActionName[]

/** The keys of the actions in an entry, with their schemas. */
type ActionFields = {
  readonly [Name in ActionName]: z.ZodOptional<(typeof actions)[Name]['schema']>
}

/** Returns the schemas of the keys of the actions in an entry. */
export function actionFields(): ActionFields {
  const fields = Object.entries<Action>(actions).map(([name, { schema, describe }]) => {
    return [name, schema.optional().describe(describe)]
  })
  return Object.fromEntries(fields)
}

/** An action of an entry: its key, what it is, and its value. */
export interface ChosenAction {
  readonly kind: ActionName
  readonly action: Action
  readonly value: unknown
}

/** Returns the action of an entry; undefined if it has none. */
export function actionOf(entry: { readonly [Name in ActionName]?: unknown }): ChosenAction | undefined {
  const kind = actionNames.find((name) => entry[name] !== undefined)
  return kind && { kind, action: actions[kind], value: entry[kind] }
}
