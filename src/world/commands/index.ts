import type { z } from '../../contract/schema.js'
import { bounceMessage } from './bounce-message.js'
import { createIdentity } from './create-identity.js'
import { createWebhook } from './create-webhook.js'
import { deleteIdentity } from './delete-identity.js'
import { deleteWebhook } from './delete-webhook.js'
import { deliverMessage } from './deliver-message.js'
import { receiveMessage } from './receive-message.js'
import { sendMessage } from './send-message.js'
import { setThreadUnread } from './set-thread-unread.js'
import { updateIdentity } from './update-identity.js'

/** Every way a world can change, by the command's type. */
export const commands = {
  'bounce-message': bounceMessage,
  'create-identity': createIdentity,
  'create-webhook': createWebhook,
  'delete-identity': deleteIdentity,
  'delete-webhook': deleteWebhook,
  'deliver-message': deliverMessage,
  'receive-message': receiveMessage,
  'send-message': sendMessage,
  'set-thread-unread': setThreadUnread,
  'update-identity': updateIdentity,
} as const

type Commands = typeof commands

/** The type of a command, e.g. `receive-message`. */
export type CommandType = keyof Commands

/** A command of a type, as plain JSON. */
export type CommandOf<T extends CommandType> = z.input<ReturnType<Commands[T]['schema']>>

/** Any command, as plain JSON. */
export type Command = { [T in CommandType]: CommandOf<T> }[CommandType]

/** What applying a command of a type gives. */
export type ResultOf<T extends CommandType> = ReturnType<Commands[T]['apply']>
