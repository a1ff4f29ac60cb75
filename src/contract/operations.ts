import { z } from '../base/schema.js'
import {
  identityPatchSchema,
  identitySchema,
  messageListSchema,
  threadListSchema,
  webhookListSchema,
} from './resources.js'

/**
 * The documented limits and defaults.
 * @see interface 4.3, 4.4, 8
 */
export const limits = {
  'threads.list': { limit: { minimum: 1, maximum: 100, default: 50 }, offset: { default: 0 } },
  'messages.list': { limit: { default: 50 } },
} as const

/** A documented query parameter. */
interface QueryParameter {
  readonly type: 'string' | 'integer'
  readonly meaning: string
  readonly default?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** A documented operation. */
export interface DocumentedOperation {
  readonly method: 'GET' | 'PATCH'
  /** The path, with `{name}` for a path parameter. */
  readonly path: string
  /** The part of the interface that describes it. */
  readonly part: string
  readonly purpose: string
  /** Whether the interface states that the request carries a bearer key. @see interface 5 */
  readonly authentication: 'stated' | 'not-shown'
  /** The meanings of the path parameters, which are strings, by name. */
  readonly inPath: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, QueryParameter>>
  /** The meanings of optional query parameters whose names are the gap `webhooks.filter-names`. */
  readonly unnamedQuery?: readonly string[]
  /** The schemas of the body and of the response, created when they are first used. */
  readonly body?: () => z.ZodType
  readonly response: () => z.ZodType
}

const agent: QueryParameter = { type: 'string', meaning: 'Only those of this agent handle' }

/** The five documented operations, by name. @see interface 4 */
export const operations = {
  'identities.get': {
    method: 'GET',
    path: '/api/v1/identities/{handle}',
    part: '4.1',
    purpose: 'Get agent identity',
    authentication: 'stated',
    inPath: { handle: 'The handle, with or without a leading @; both forms address the same identity' },
    query: {},
    response: identitySchema,
  },
  'identities.update': {
    method: 'PATCH',
    path: '/api/v1/identities/{handle}',
    part: '4.2',
    purpose: 'Update agent identity',
    authentication: 'stated',
    inPath: { handle: 'The handle, written without @' },
    query: {},
    body: identityPatchSchema,
    response: identitySchema,
  },
  'threads.list': {
    method: 'GET',
    path: '/api/v1/mail/threads',
    part: '4.3',
    purpose: 'List conversation threads',
    authentication: 'stated',
    inPath: {},
    query: {
      agent,
      mailbox: { type: 'string', meaning: 'Only threads of this mailbox address' },
      limit: { type: 'integer', meaning: 'Number of threads returned', ...limits['threads.list'].limit },
      offset: { type: 'integer', meaning: 'Pagination offset', ...limits['threads.list'].offset },
    },
    response: threadListSchema,
  },
  'messages.list': {
    method: 'GET',
    path: '/api/v1/mail/messages',
    part: '4.4',
    purpose: 'List messages',
    authentication: 'stated',
    inPath: {},
    query: {
      thread_id: { type: 'string', meaning: 'Only messages of this thread' },
      agent,
      limit: { type: 'integer', meaning: 'Number of messages returned', ...limits['messages.list'].limit },
    },
    response: messageListSchema,
  },
  'webhooks.list': {
    method: 'GET',
    path: '/api/v1/webhooks',
    part: '4.5',
    purpose: 'List webhooks',
    authentication: 'not-shown',
    inPath: {},
    query: {},
    unnamedQuery: ['Only those of this agent handle', 'Only those subscribed to this event type'],
    response: webhookListSchema,
  },
} as const satisfies Record<string, DocumentedOperation>

/** The name of an operation, e.g. `threads.list`. */
export type OperationName = keyof typeof operations

/** The names of all documented operations, in the order of the interface. */
export const operationNames = Object.keys(operations) as OperationName[]

/** The name of a documented operation, or the id of one that an extension defines. */
export type AnyOperationName = OperationName | (string & Record<never, never>)

/**
 * The operations that extensions add, by id: those of the extensions that ship. A program declares its own, so that TypeScript
 * accepts them and finds misspelt ones.
 * @example declare global { namespace AgentMailboxSim { interface Operations { 'labels.put': true } } }
 */
export interface ExtensionOperations extends AgentMailboxSim.Operations {}

declare global {
  namespace AgentMailboxSim {
    /** The operations of extensions, by id. */
    interface Operations {
      'identities.create': true
      'identities.delete': true
      'identities.list': true
      'keys.whoami': true
      'messages.forward': true
      'messages.get': true
      'messages.raw': true
      'messages.reply': true
      'messages.reply-all': true
      'messages.send': true
      'threads.get': true
      'threads.mark-read': true
      'threads.mark-unread': true
      'threads.update': true
      'webhooks.create': true
      'webhooks.delete': true
      'webhooks.get': true
      'webhooks.update': true
    }
  }
}

/** An operation that a program may name: a documented one, the trap of an attack, or one of an extension. */
export type NamedOperation = OperationName | 'trap.open' | (keyof ExtensionOperations & string)

/** Returns the schema of an operation name; whether the operation exists is checked elsewhere, with the extensions. */
export function operationName(): z.ZodType<AnyOperationName, NamedOperation> {
  const examples = { anyOf: [{ enum: operationNames }, { type: 'string', pattern: '^[A-Z]+ /|[.]' }] }
  return z.string().min(1).meta(examples) as unknown as z.ZodType<AnyOperationName, NamedOperation>
}
