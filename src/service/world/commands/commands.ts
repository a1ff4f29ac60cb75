import { explainValue } from '../../../base/explain.js'
import type { z } from '../../../base/schema.js'
import { expectedOneOf } from '../../../base/text.js'
import { WorldError } from '../../model/errors.js'
import { decideValue, keepAnswer, setValue } from './kept.js'
import { receiveMessage, sendMessage } from './mail.js'
import { createIdentity, deleteIdentity, editIdentity, setThreadUnread } from './mailbox.js'
import { bounceMessage, deliverMessage } from './outcome.js'
import { createWebhook, deleteWebhook, updateWebhook } from './webhook.js'

/** The commands by type: every way in which a world can change. */
export const commands = {
  'bounce-message': bounceMessage,
  'create-identity': createIdentity,
  'create-webhook': createWebhook,
  'decide-value': decideValue,
  'delete-identity': deleteIdentity,
  'delete-webhook': deleteWebhook,
  'deliver-message': deliverMessage,
  'keep-answer': keepAnswer,
  'receive-message': receiveMessage,
  'send-message': sendMessage,
  'set-thread-unread': setThreadUnread,
  'set-value': setValue,
  'update-identity': editIdentity,
  'update-webhook': updateWebhook,
} as const

type Commands = typeof commands

/** The type of a command, e.g. `receive-message`. */
export type CommandType = keyof Commands

/** A command of a type, as plain JSON. */
export type CommandOf<T extends CommandType> = z.input<ReturnType<Commands[T]['schema']>>

/** Any command, as plain JSON. */
export type Command = { [T in CommandType]: CommandOf<T> }[CommandType]

/** The result of applying a command of a type. */
export type ResultOf<T extends CommandType> = ReturnType<Commands[T]['apply']>

/** Checks a command against its schema, and returns it with defaults. @throws WorldError `unknown-command`, `invalid` */
export function checkCommand(command: unknown): Command {
  const type = typeOf(command)
  const schema = commands[type].schema()
  const parsed = schema.safeParse(command)
  if (parsed.success) return parsed.data as Command
  throw new WorldError('invalid', `${type}: ${explainValue(schema, command)}`)
}

/** Returns the type of a value that should be a command. @throws WorldError `unknown-command` */
function typeOf(command: unknown): CommandType {
  const type = (command as { type?: unknown } | null | undefined)?.type
  const names = Object.keys(commands) as CommandType[]
  const known = names.find((name) => name === type)
  if (known !== undefined) return known
  const isText = typeof type === 'string'
  const given = isText ? ` "${type}"` : ' without a type'
  throw new WorldError(
    'unknown-command',
    `There is no command${given}${expectedOneOf(isText ? type : '', names, '.')}`,
  )
}
