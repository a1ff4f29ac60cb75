import { z } from '../../base/schema.js'
import {
  type Extension,
  ExtensionError,
  type ExtensionFields,
  type ExtensionGap,
  type ExtensionOperation,
  type extensionMethods,
  type ResourceName,
} from '../../contract/extensions.js'
import { gaps as documentedGaps } from '../../contract/gaps.js'
import type { Identity, Message, Thread, Webhook } from '../../contract/resources.js'
import type { Settle, SettleExtensionGap } from '../assumptions/settle.js'
import type {
  HeaderField,
  IdentityRow,
  MessageRow,
  OrganizationRow,
  ThreadRow,
  WebhookRow,
} from '../model/rows.js'
import type { PathParameters } from '../operations/operation.js'
import type { Reply } from '../operations/reply.js'
import type { MessageAddresses } from '../rendering/header-fields.js'
import type { FieldsContext } from '../rendering/resources.js'
import type { CommandOf, CommandType, ResultOf } from '../world/commands/commands.js'
import type { EarlierRequest } from './idempotency.js'

/** The argument of an extension operation's `perform`. */
export interface ExtensionContext<
  Params = Readonly<Record<string, string>>,
  Query = Readonly<Record<string, string>>,
  Body = unknown,
> {
  /** The parameters of the path, decoded and checked. */
  readonly params: Params
  /** The parameters of the query, checked. */
  readonly query: Query
  /** The body, checked; undefined if the operation declares none. */
  readonly body: Body
  /** The original request. */
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: { get(name: string): string | null }
  }
  /** The organization whose key the request carried. */
  readonly organization: OrganizationRow
  /** Reads the data of that organization. */
  readonly world: WorldReader
  /** Renders rows of the world as the documented operations do, under the assumptions in force. */
  readonly render: ResourceRenderer
  /** Applies a command to the world. @throws WorldError, which becomes the response */
  apply<T extends CommandType>(command: CommandOf<T> & { readonly type: T }): ResultOf<T>
  /** What the extension keeps in the world for that organization. */
  readonly state: ExtensionState
  /** Sends mail from an agent; returns the message in the agent's mailbox. */
  send(mail: MailToSend): MessageRow
  /**
   * Returns the result of the branch for the assumption in force. All branches are evaluated, to see whether another assumption
   * would have given another response, so they must not change anything: decide first, then `apply`.
   */
  readonly settle: SettleExtensionGap & Settle
  /** Returns a response with a status, headers and a body, which is JSON unless it is a string. */
  reply(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): Reply
  /** Refuses the request because something does not exist: `notFound('thread', id)`. */
  notFound(what: string, name: string): never
  /** Refuses the request as invalid. */
  reject(message: string): never
  /** Refuses the request with any status, in the shape that errors have. */
  refuse(status: number, message: string): never
  /** Returns the world's time, ISO 8601 UTC. */
  now(): string
}

/**
 * What extensions keep in the world, for one organization: plain JSON by key. It is part of snapshots, logs and forks, and
 * gone after a reset. All extensions have the same keys, so begin them with a name, as in `drafts/1`.
 */
export interface ExtensionState {
  /** Returns a copy of the value of a key; undefined if there is none. */
  get<Value = unknown>(key: string): Value | undefined
  /** Keeps a value that JSON can express, or removes it with undefined. @throws TypeError, WorldError */
  set(key: string, value: unknown): void
  /** Returns the values whose keys begin with a prefix, in the order in which they were first set. */
  list<Value = unknown>(prefix?: string): { readonly key: string; readonly value: Value }[]
}

/** A message that an agent sends. */
export interface MailToSend {
  /** The agent's handle, id or mailbox address. */
  readonly from: string
  /** Addresses, with or without a display name; so are `cc`, `bcc` and `reply_to`. */
  readonly to: readonly string[]
  readonly cc?: readonly string[] | undefined
  /** Only the sender's own copy contains these. */
  readonly bcc?: readonly string[] | undefined
  readonly reply_to?: readonly string[] | undefined
  /** Additional header fields by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly subject?: string | undefined
  readonly text?: string | null | undefined
  readonly html?: string | null | undefined
  /** The id of the message that it replies to, whose thread it joins. */
  readonly in_reply_to?: string | undefined
  readonly thread_id?: string | undefined
  /** Whether its recipients in the organization receive it; false by default. */
  readonly local_delivery?: boolean | undefined
  /** Files, with their content in base64. */
  readonly attachments?: readonly FileToSend[] | undefined
}

/** A file of a message that an agent sends. */
export type FileToSend = NonNullable<CommandOf<'send-message'>['attachments']>[number]

/** Reads the data of an organization. Lists are in the order of creation; instants are in milliseconds. */
export interface WorldReader {
  /** Returns the agent with a handle (with or without `@`), id or mailbox address. */
  identity(name: string): IdentityRow | undefined
  identities(): IdentityRow[]
  thread(id: string): ThreadRow | undefined
  /** Returns the threads of one agent, or of all. */
  threads(of?: { readonly agent?: string | undefined }): ThreadRow[]
  message(id: string): MessageRow | undefined
  /** Returns the messages of a thread, of an agent, or all. */
  messages(of?: {
    readonly thread_id?: string | undefined
    readonly agent?: string | undefined
  }): MessageRow[]
  /**
   * Returns the bare addresses in each address field of a message; `bcc` only of messages that the agent
   * sent.
   */
  addressesOf(message: MessageRow): MessageAddresses
  /** Returns the RFC 5322 header fields of a message, in order. */
  headersOf(message: MessageRow): readonly HeaderField[]
  /** Returns the files of a message, as `send` attaches them. */
  attachmentsOf(message: MessageRow): FileToSend[]
  /** Returns a message in RFC 5322 format: the bytes with which it was received, or else composed from the stored data. */
  rawOf(message: MessageRow): Uint8Array
  /** Returns the text and the HTML of a message. */
  bodyOf(message: MessageRow): { readonly text: string | null; readonly html: string | null }
  /** Returns what a message says as text: its text or, if it has none, that of its HTML. */
  textOf(message: MessageRow): string
  webhook(id: string): WebhookRow | undefined
  webhooks(): WebhookRow[]
}

/** The resources of the interface by name: their rows, and their form in responses. */
interface ShownResources {
  readonly Identity: { readonly row: IdentityRow; readonly shown: Identity }
  readonly Thread: { readonly row: ThreadRow; readonly shown: Thread }
  readonly Message: { readonly row: MessageRow; readonly shown: Message }
  readonly Webhook: { readonly row: WebhookRow; readonly shown: Webhook }
}

/** Renders resources as the documented operations do. @see interface 2 */
export interface ResourceRenderer {
  identity(row: IdentityRow): Identity
  thread(row: ThreadRow): Thread
  message(row: MessageRow): Message
  webhook(row: WebhookRow): Webhook
}

/** The method of an operation of an extension. */
type Method = (typeof extensionMethods)[number]

/** The output type of a schema, or a default type if there is no schema. */
type Output<Schema, Default> = Schema extends z.ZodType ? z.output<Schema> : Default

/** An operation as an extension declares it. */
export interface OperationInput<
  Path extends string = string,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
> {
  /** The name that the journal, faults and expectations use, e.g. `threads.get`. */
  readonly id: string
  readonly method: Method
  /** The path, with `{name}` for a path parameter, e.g. `/api/v1/mail/threads/{thread_id}`. */
  readonly path: Path
  /** What it does, in a few words; the id by default. */
  readonly summary?: string
  /** Evidence for its form, such as where it was seen. */
  readonly evidence?: string
  /**
   * The status of the response when `perform` returns a plain value; by default 200, or 204 for undefined.
   */
  readonly status?: number
  /** `none`: requests require no bearer key. */
  readonly authentication?: 'none'
  /** Whether it replaces the documented operation with this id, method and path. */
  readonly replace?: boolean
  /** The schema of the path parameters; strings by default. */
  readonly params?: Params
  /** The schema of the query parameters; by default, any parameters are accepted, as strings. */
  readonly query?: Query
  /** The schema of the body, a JSON object; without it, the body is not read. */
  readonly body?: Body
  /**
   * The gap that decides whether fields that `body` does not have are ignored; without it, they are ignored,
   * with a hint.
   */
  readonly unknownFields?: ExtensionGap<'ignored' | 'rejected'>
  /**
   * The shape of a successful response, for the OpenAPI document: a schema, or a resource of the interface.
   */
  readonly response?: z.ZodType | ResourceName
  /**
   * Decides about a request with the same `Idempotency-Key` as an earlier one of the last 24 hours: `true`
   * returns the earlier response, byte for byte and without an effect; `false` performs the request. Without
   * this function, such keys have no meaning. Only responses to requests that changed something are kept, for
   * an organization and an operation.
   */
  readonly idempotency?: (context: ContextOf<Path, Params, Query, Body>, earlier: EarlierRequest) => boolean
  /**
   * Returns the response to a request: a plain value, which is sent as JSON, the result of `reply`, or a
   * `Response`. An error that it throws becomes a 500, and is logged with its place in the extension's file.
   */
  readonly perform: (context: ContextOf<Path, Params, Query, Body>) => unknown
}

/** The context of an operation with these schemas. */
type ContextOf<Path extends string, Params, Query, Body> = ExtensionContext<
  Output<Params, { readonly [Name in PathParameters<Path>]: string }>,
  Output<Query, Readonly<Record<string, string>>>,
  Output<Body, undefined>
>

/** A point that an extension leaves open, as the extension declares it. */
export interface GapInput<Assumptions extends Readonly<Record<string, string>>> {
  /** e.g. `messages.send-status`: two words or more, with dots between them. */
  readonly id: string
  /** The open point, as a question. */
  readonly question: string
  /** What the service does under each assumption, by the name of the assumption; the first is the default. */
  readonly assumptions: Assumptions
  /** The assumption that is hardest on a client; the last by default. */
  readonly worst?: keyof Assumptions & string
  /** How a client can be correct under every assumption. */
  readonly advice?: string
  /** What is known about real services. */
  readonly evidence?: string
  /** The ids of the operations that it affects; by default all of the extension. */
  readonly concerns?: readonly string[]
}

/** Fields that an extension adds to a resource of the interface, as the extension declares them. */
export interface FieldsInput<Of extends ResourceName> {
  readonly of: Of
  /** The shape of the fields, for the OpenAPI document. */
  readonly schema: z.ZodObject
  /**
   * Returns the fields of a row, by name; called wherever responses and events contain the whole resource.
   */
  readonly add: (context: FieldsContext<ShownResources[Of]['row'], ShownResources[Of]['shown']>) => object
}

/** The functions and schemas for writing an extension. */
export interface ExtensionTools {
  /** Declares an operation. @throws ExtensionError */
  operation<
    const Path extends string,
    Params extends z.ZodObject | undefined = undefined,
    Query extends z.ZodObject | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
  >(input: OperationInput<Path, Params, Query, Body>): ExtensionOperation
  /** Declares a gap, to be passed to `settle` in `perform`. @throws ExtensionError */
  gap<const Assumptions extends Readonly<Record<string, string>>>(
    input: GapInput<Assumptions>,
  ): ExtensionGap<keyof Assumptions & string>
  /** Declares fields that a documented resource has beyond the documented ones. @throws ExtensionError */
  fields<const Of extends ResourceName>(input: FieldsInput<Of>): ExtensionFields
  /** Zod, for schemas. */
  readonly z: typeof z
}

/**
 * Declares operations beyond the documented ones.
 * @throws ExtensionError when a declaration is not valid
 * @example export default defineExtension(({ operation }) => [
 *   operation({ id: 'me.get', method: 'GET', path: '/api/v1/me', perform: ({ organization }) => ({ id: organization.id }) }),
 * ])
 */
export function defineExtension(
  declare: (tools: ExtensionTools) => readonly (ExtensionOperation | ExtensionGap | ExtensionFields)[],
): Extension {
  const [gaps, fields, ids]: [ExtensionGap[], ExtensionFields[], string[]] = [[], [], []]
  const declared = declare({
    operation: createOperation as ExtensionTools['operation'],
    gap(input) {
      const gap = createGap(input, ids)
      gaps.push(gap)
      return gap
    },
    fields(input) {
      fields.push(input as ExtensionFields)
      return input as ExtensionFields
    },
    z,
  })
  const operations = declared.filter((one) => 'perform' in one)
  ids.push(...operations.map(({ id }) => id))
  return { kind: 'agent-mailbox-sim/extension', operations, gaps, fields }
}

const idPattern = /^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$/

const pathPattern = /^\/(?!_sim(\/|$)|attachments(\/|$))([\w.~@:+-]+|\{\w+\})(\/([\w.~@:+-]+|\{\w+\}))*$/

/** @throws ExtensionError */
function createOperation(input: OperationInput): ExtensionOperation {
  const { id, path, params } = input
  if (!idPattern.test(id)) throw malformed('operation', id, 'expected an id such as "threads.get"')
  if (!pathPattern.test(path)) {
    const expected = 'expected a path such as /api/v1/mail/threads/{thread_id}, not below /_sim'
    throw malformed('operation', id, `"${path}": ${expected}`)
  }
  const names = Object.keys((params as z.ZodObject | undefined)?.shape ?? {})
  const stray = names.find((one) => !path.includes(`{${one}}`))
  if (stray !== undefined) {
    throw malformed('operation', id, `params has "${stray}", but there is no {${stray}} in the path`)
  }
  return {
    ...input,
    summary: input.summary ?? id,
    authentication: input.authentication ?? 'stated',
    replace: input.replace ?? false,
    perform: input.perform as ExtensionOperation['perform'],
  } as ExtensionOperation
}

/** @throws ExtensionError */
function createGap<Assumptions extends Readonly<Record<string, string>>>(
  { id, question, assumptions, worst, concerns, advice, evidence }: GapInput<Assumptions>,
  everyOperation: readonly string[],
): ExtensionGap<keyof Assumptions & string> {
  if (!idPattern.test(id)) throw malformed('gap', id, 'expected an id such as "messages.send-status"')
  if (Object.hasOwn(documentedGaps, id)) {
    throw malformed('gap', id, 'it is a gap of the interface; choose another id')
  }
  return {
    id,
    question,
    learnedBy: 'none',
    parts: [],
    concerns: concerns ?? everyOperation,
    assumptions,
    worst: worst ?? (Object.keys(assumptions).at(-1) as keyof Assumptions & string),
    advice: advice ?? 'Do not depend on it.',
    evidence: evidence ?? 'none',
  }
}

function malformed(what: 'operation' | 'gap', id: string, problem: string): ExtensionError {
  return new ExtensionError('malformed', `The ${what} ${JSON.stringify(id)} does not fit: ${problem}.`)
}
