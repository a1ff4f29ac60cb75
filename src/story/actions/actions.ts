import { z } from '../../base/schema.js'
import { eventTypes } from '../../contract/resources.js'
import { effectsOf, faultSchema } from '../../service/faults/fault.js'
import { parseDuration } from '../../service/time/time.js'
import type { CommandOf } from '../../service/world/commands/commands.js'
import { fieldAt } from '../compile/parts.js'
import { assumptionChoicesSchema, handle, having, key, template } from '../format/values.js'
import { choiceProblems } from '../read/assumptions.js'
import { type Action, defineAction } from './action.js'
import { receive, send } from './mail.js'
import { bounce, deliver } from './outcome.js'

/** Marks a thread. Each action has its own schema, since no part of the format names it. */
function defineMark(describe: string, unread: boolean) {
  return defineAction({
    describe,
    schema: z.strictObject({
      thread: key.describe('The key of a thread.'),
      identity: handle
        .optional()
        .describe('The owner of the thread, if two mailboxes have a thread with that key.'),
    }),
    resolve({ lookups, resolvedEntry, path }, marked) {
      const thread = lookups.target(marked, path, resolvedEntry)?.thread
      return thread && (() => ({ commands: [{ type: 'set-thread-unread', thread_id: thread.id, unread }] }))
    },
  })
}

const update = defineAction({
  describe: 'An identity changes.',
  schema: z
    .strictObject({
      identity: handle.describe('The agent.'),
      display_name: template.optional().describe('The new display name.'),
      description: template.optional().describe('The new description.'),
    })
    .meta({ id: 'update', title: 'update', description: 'A change of an identity.' }),
  resolve({ lookups, path }, changes) {
    const owner = lookups.agent(changes.identity, [...path, 'identity'])
    if (owner === undefined || owner === 'unknown') return undefined
    return async ({ texts }, place) => {
      const own = { ...place, locale: owner.locale }
      const command: CommandOf<'update-identity'> = { type: 'update-identity', identity_id: owner.id }
      for (const field of ['display_name', 'description'] as const) {
        const template = changes[field]
        if (template !== undefined) command[field] = await texts.fill(template, fieldAt(own, field))
      }
      return { commands: [command] }
    }
  },
})

const fault = defineAction({
  describe: 'Responses are disturbed from now on.',
  schema: faultSchema().meta({
    id: 'fault',
    title: 'fault',
    description: 'A rule that disturbs responses: which requests, and how.',
    anyOf: effectsOf(faultSchema().shape).map(having),
  }),
  resolve({ lookups, path }, fault) {
    lookups.agent(fault.handle, [...path, 'handle'])
    lookups.checkOperation(fault.operation, [...path, 'operation'])
    return () => ({ commands: [], fault })
  },
})

const clearFaults = defineAction({
  describe: 'Responses are no longer disturbed.',
  schema: z.literal(true),
  resolve: () => () => ({ commands: [], fault: 'clear' }),
})

const redeliver = defineAction({
  describe: 'A delivery is sent again.',
  schema: z
    .strictObject({
      event: z.enum(eventTypes).describe('The event type.'),
      nth: z.int().min(1).default(1).describe('Which of its deliveries, from 1 for the first.'),
    })
    .meta({ id: 'redeliver', title: 'redeliver', description: 'A delivery that is sent again.' }),
  resolve: (_, redeliver) => () => ({ commands: [], redeliver }),
})

const assume = defineAction({
  describe: 'Other assumptions apply from now on.',
  schema: assumptionChoicesSchema,
  resolve({ lookups, path }, assumptions) {
    lookups.problems.push(...choiceProblems(assumptions, path, lookups.extensions.gaps))
    return () => ({ commands: [], assumptions })
  },
})

const acts = {
  kill: 'it is killed, and started again at once',
  stop: 'it is stopped, and does not run',
  start: 'it is started, if it does not run',
  second: 'another copy runs beside it',
  one: 'only the first copy goes on',
} as const

const meanings = Object.entries(acts).map(([act, meaning]) => `\`${act}\`: ${meaning}`)

const agent = defineAction({
  describe: `Something happens to the program of the agent, where a command is played. ${meanings.join('; ')}.`,
  schema: z.enum(Object.keys(acts) as (keyof typeof acts)[]),
  problemWith(_, { after, when }) {
    if (when !== undefined || after === undefined || parseDuration(after) !== 0) return undefined
    return '"agent" with "after: 0s" would happen before the program has started; write a later time'
  },
  resolve: (_, agent) => () => ({ commands: [], agent }),
})

const pending = z.string().regex(/^\S.{0,199}$/, 'expected what is pending, such as drafts')

/** Decides about what is pending. Each action has its own schema, since no part of the format names it. */
function defineDecision(status: 'approved' | 'rejected') {
  return defineAction({
    describe: `The latest of what an extension keeps as pending is ${status}.`,
    schema: z.union(
      [
        pending,
        z.strictObject({
          of: pending.describe(
            'What is pending: the key of a value that an extension keeps, or what it begins with.',
          ),
          reason: template.optional().describe('The reason, which the client may be shown.'),
        }),
      ],
      { error: 'expected what is pending, such as drafts, or { of: drafts, reason: … }' },
    ),
    resolve(_context, decided) {
      const { of, reason } = typeof decided === 'string' ? { of: decided, reason: undefined } : decided
      return async ({ texts }, place) => {
        const command: CommandOf<'decide-value'> = { type: 'decide-value', of, status }
        if (reason !== undefined) command.reason = await texts.fill(reason, fieldAt(place, 'reason'))
        return { commands: [command] }
      }
    },
  })
}

/** Every action by its key, in the order of the documentation. An entry of a timeline has exactly one of them. */
export const actions = {
  receive,
  send,
  read: defineMark('A thread is marked read.', false),
  unread: defineMark('A thread is marked unread.', true),
  update,
  deliver,
  bounce,
  fault,
  clear_faults: clearFaults,
  redeliver,
  assume,
  agent,
  approve: defineDecision('approved'),
  reject: defineDecision('rejected'),
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
