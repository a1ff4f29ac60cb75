import { mistakesIn } from '../../base/explain.js'
import { textOf } from '../../base/mistake.js'
import { once } from '../../base/once.js'
import { droppedKeys, z } from '../../base/schema.js'
import { expectedOneOf, nearestName, shorten } from '../../base/text.js'
import type { ExtensionGap, ExtensionOperation } from '../../contract/extensions.js'
import { formatRecipient, parseWholeMailboxList } from '../../mail/address.js'
import { newMessageFields } from '../../mail/new-message.js'
import { textOfHtml } from '../../mail/snippet.js'
import { baseSubject } from '../../mail/threading.js'
import type { Difference, SettleExtensionGap } from '../assumptions/settle.js'
import { WorldError } from '../model/errors.js'
import type { MailboxStore, RowList } from '../model/mailbox-store.js'
import type { OrganizationRow } from '../model/rows.js'
import { type Operation, type OperationContext, readJsonBody } from '../operations/operation.js'
import { jsonReply, type Reply } from '../operations/reply.js'
import { ignoredHint } from '../operations/request.js'
import { ExtensionFailure, notFound, RequestError, reject } from '../operations/request-error.js'
import { addressesOf, headerFieldsOf, rawMessage } from '../rendering/header-fields.js'
import { renderIdentity, renderMessage, renderThread, renderWebhook } from '../rendering/resources.js'
import { formatInstant } from '../time/time.js'
import type { CommandOf, CommandType, ResultOf } from '../world/commands/commands.js'
import { valueId } from '../world/commands/kept.js'
import type { ExtensionContext, ExtensionState, MailToSend, WorldReader } from './define-extension.js'
import { answerOnce, type EarlierRequest } from './idempotency.js'

/** Wraps an extension's operation as an operation of the service. */
export function serviceOperation(extension: ExtensionOperation): Operation {
  const { id, method, path, authentication, query } = extension
  const names = query && Object.keys(query.shape)
  return {
    id,
    method,
    path,
    authentication,
    // Without a schema, the operation accepts any parameter.
    queryNames: (query) => names ?? query.names,
    perform: (context) => performExtension(extension, context),
  }
}

async function performExtension(extension: ExtensionOperation, context: OperationContext): Promise<Reply> {
  const { query, body, params } = extension
  try {
    const sent = body && (await readJsonBody(context))
    const input = {
      params: checked(params, context.params, 'path parameter'),
      query: checked(query, queryOf(context), 'query parameter'),
      body: body && checked(body, sent, 'body'),
    }
    settleUnknownFields(extension, context, sent)
    if (context.answered) return context.answered
    const given = { ...createContext(context), ...input } as never
    const perform = async () => replyOf(await extension.perform(given), extension.status)
    const decide = (earlier: EarlierRequest) => extension.idempotency?.(given, earlier) ?? false
    return await answerOnce(extension, context, input, perform, decide)
  } catch (error) {
    if (error instanceof RequestError) throw error
    if (error instanceof WorldError && error.code !== 'closed') throw requestErrorOf(error)
    throw new ExtensionFailure(extension, error)
  }
}

/** Settles the fields of a body that its schema drops. @throws RequestError */
function settleUnknownFields(
  { body, unknownFields }: ExtensionOperation,
  context: OperationContext,
  sent: unknown,
) {
  for (const { place, known } of droppedKeys(body, sent)) {
    const settleExtensionGap = context.settle as unknown as SettleExtensionGap
    if (unknownFields) {
      settleExtensionGap(unknownFields, {
        ignored: () => undefined,
        rejected: () =>
          reject(`There is no field "${shorten(place)}" here${expectedOneOf(place, known, '.')}`),
      })
    }
    context.hints.add(ignoredHint('field', place, known))
  }
}

function createContext(context: OperationContext): Omit<ExtensionContext, 'params' | 'query' | 'body'> {
  const { store, organization, request, render, selected } = context
  const world = createWorldReader(store, organization)
  let isSettling = false
  const apply = <T extends CommandType>(command: CommandOf<T> & { readonly type: T }): ResultOf<T> => {
    if (isSettling) {
      throw new Error(
        'A branch of settle() must not change anything, since every branch is evaluated. Call settle() first, then apply().',
      )
    }
    return context.apply(command as never) as ResultOf<T>
  }
  return {
    request,
    organization,
    world,
    apply,
    state: createState(context, apply),
    render: {
      identity: (row) => parse(render.one(row, renderIdentity)),
      thread: (row) => parse(render.one(row, renderThread)),
      message: (row) => parse(render.one(row, renderMessage)),
      webhook: (row) => parse(render.one(row, renderWebhook)),
    },
    send(sent) {
      const { from, to, cc, bcc, reply_to, headers, ...mail } = checkedMail(sent)
      const identity = world.identity(from) ?? notFound('agent', from)
      const command = {
        ...mail,
        ...placeOf(mail, context),
        type: 'send-message',
        by: 'client',
        identity_id: identity.id,
        to: mailboxesIn('to', to) ?? [],
        cc: mailboxesIn('cc', cc),
        bcc: mailboxesIn('bcc', bcc),
        reply_to: mailboxesIn('reply_to', reply_to),
        further_headers: headers && Object.entries(headers),
      }
      return apply<'send-message'>(command as never).message
    },
    settle: ((gap: ExtensionGap, branches: never, difference: Difference = 'certain') => {
      isSettling = true
      try {
        return (context.settle as unknown as SettleExtensionGap)(gap, branches, difference)
      } finally {
        isSettling = false
      }
    }) as unknown as ExtensionContext['settle'],
    reply: replyWith,
    notFound,
    reject,
    refuse(status, message) {
      throw new RequestError('disturbed', message, { status })
    },
    now: () => formatInstant(selected.world.clock.now()),
  }
}

/** Creates what an operation reads and writes of the values that extensions keep. */
function createState(
  { store, organization: { id: organization_id } }: OperationContext,
  apply: ExtensionContext['apply'],
): ExtensionState {
  return {
    get<Value>(key: string): Value | undefined {
      const row = store.get('value', valueId(organization_id, key))
      return row && (JSON.parse(row.json) as Value)
    },
    set(key, value) {
      const json = value === undefined ? null : JSON.stringify(value)
      if (json === undefined) throw new TypeError(`state.set("${key}") needs a value that JSON can express.`)
      apply<'set-value'>({ type: 'set-value', organization_id, key, json })
    },
    list<Value>(prefix = '') {
      const rows = store.rows('value', allIds(store.values(organization_id)))
      const own = rows.filter(({ key }) => key.startsWith(prefix))
      return own.map(({ key, json }) => ({ key, value: JSON.parse(json) as Value }))
    },
  }
}

/** Returns the thread of a message, which another subject may take out of the one that it names. @see interface 1 */
function placeOf(
  { thread_id, subject }: Pick<MailToSend, 'thread_id' | 'subject'>,
  { store, settle }: OperationContext,
): Partial<CommandOf<'send-message'>> {
  const thread = thread_id === undefined ? undefined : store.get('thread', thread_id)
  if (!thread || subject === undefined) return {}
  if (baseSubject(subject).base === baseSubject(thread.subject).base) return {}
  const branches = { stays: () => true, 'begins-a-thread': () => false }
  return settle('threads.new-subject', branches, 'certain')
    ? {}
    : { thread_id: undefined, begins_thread: true }
}

/** Parses a rendered row. */
function parse(json: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(json))
}

const mailKeys = once(() => {
  const shared = Object.keys(newMessageFields(z.string()))
  const own = ['from', 'to', 'in_reply_to', 'thread_id', 'attachments', 'local_delivery']
  return [...shared, ...own] as (keyof MailToSend)[]
})

/** Returns the mailboxes in a list of addresses, each of which may have a display name. @throws RequestError */
function mailboxesIn(field: string, list: readonly string[] | undefined): string[] | undefined {
  return list?.flatMap((text) => {
    const mailboxes = parseWholeMailboxList(text)
    return mailboxes
      ? mailboxes.map(formatRecipient)
      : reject(`"${field}" does not fit: "${text}" is not an email address.`)
  })
}

/**
 * Validates the addresses and keys of a message and drops other keys; the command validates the values.
 * @throws TypeError
 */
function checkedMail(mail: MailToSend): MailToSend {
  const { from, to } = mail
  if (typeof from !== 'string') throw new TypeError("send() needs from: an agent's handle, id or address.")
  if (!Array.isArray(to)) throw new TypeError("send() needs to: a list such as ['ann@example.com'].")
  // A forwarded request body may have other keys, but a misspelt key is refused.
  for (const key of Object.keys(mail)) {
    const meant = mailKeys().includes(key as keyof MailToSend) ? undefined : nearestName(key, mailKeys())
    if (meant !== undefined) throw new TypeError(`send() has no "${key}"; did you mean "${meant}"?`)
  }
  return Object.fromEntries(mailKeys().map((key) => [key, mail[key]])) as unknown as MailToSend
}

/** Converts the error of a refused command to the error of the request. */
function requestErrorOf({ code, message }: WorldError): RequestError {
  if (code === 'not-found') return new RequestError('not-found', message)
  if (code === 'conflict') return new RequestError('disturbed', message, { status: 409 })
  if (code === 'too-many') return new RequestError('disturbed', message, { status: 429 })
  return new RequestError('invalid-request', message)
}

function queryOf({ query }: OperationContext): Record<string, string> {
  return Object.fromEntries(query.names.map((name) => [name, query.text(name) ?? '']))
}

/** Parses a value by a schema. @throws RequestError that names the first problem */
function checked(schema: z.ZodType | undefined, value: unknown, what: string): unknown {
  if (!schema) return value
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  if (value === undefined) return reject('The request needs a body: a JSON object.')
  const { path = [], message = 'it is wrong' } = mistakesIn(schema, value)[0] ?? {}
  const place = path.join('.')
  return reject(`${place ? `"${place}"` : `The ${what}`} does not fit: ${textOf(message)}.`)
}

async function replyOf(value: unknown, status: number | undefined): Promise<Reply> {
  if (value instanceof Response) return replyOfResponse(value)
  if (replies.has(Object(value))) return value as Reply
  if (value === undefined) return replyWith(status ?? 204)
  return jsonReply(status ?? 200, value)
}

/** The results of `reply`, by which they differ from plain values, which are sent as JSON. */
const replies = new WeakSet<object>()

function replyWith(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const reply = replyFor(status, body, Object.fromEntries(lower))
  replies.add(reply)
  return reply
}

function replyFor(status: number, body: unknown, headers: Readonly<Record<string, string>>): Reply {
  if (body === undefined || [204, 205, 304].includes(status)) return { status, headers, body: null }
  if (typeof body !== 'string') return jsonReply(status, body, headers)
  const bytes = new TextEncoder().encode(body)
  const type = { 'content-type': 'text/plain; charset=utf-8', ...headers }
  return { status, headers: type, body: { bytes: () => bytes, size: bytes.length } }
}

async function replyOfResponse(response: Response): Promise<Reply> {
  if (response.type === 'error')
    throw new Error('It returns Response.error(); use a fault { reset: true } to reset the connection.')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const headers: Record<string, string> = {}
  response.headers.forEach((value, name) => {
    if (name !== 'content-length' && !name.startsWith('x-msw-')) headers[name] = value
  })
  const body = bytes.length === 0 ? null : { bytes: () => bytes, size: bytes.length }
  return { status: response.status, headers, body }
}

/** Creates a reader of the data of an organization. */
function createWorldReader(store: MailboxStore, { id: organizationId }: OrganizationRow): WorldReader {
  const own = <Row extends { readonly organization_id: string }>(row: Row | undefined): Row | undefined => {
    return row?.organization_id === organizationId ? row : undefined
  }
  const identity: WorldReader['identity'] = (name) => {
    const handle = name.replace(/^@/, '')
    return (
      store.identityBy('handle', organizationId, handle) ??
      own(store.get('identity', name)) ??
      store.identityBy('foldedMailbox', organizationId, name)
    )
  }
  const scopeOf = (agent: string | undefined): string | undefined => {
    return agent === undefined ? organizationId : identity(agent)?.id
  }
  const thread: WorldReader['thread'] = (id) => own(store.get('thread', id))
  return {
    identity,
    identities: () => store.rows('identity', allIds(store.identities(organizationId))),
    thread,
    threads({ agent } = {}) {
      const scope = scopeOf(agent)
      return scope === undefined ? [] : store.rows('thread', allIds(store.threads(scope)))
    },
    message: (id) => own(store.get('message', id)),
    messages({ thread_id: threadId, agent } = {}) {
      const scope = threadId === undefined ? scopeOf(agent) : thread(threadId)?.id
      return scope === undefined ? [] : store.rows('message', allIds(store.messages(scope)))
    },
    addressesOf,
    headersOf: (message) => headerFieldsOf(message, store),
    attachmentsOf(message) {
      const files = store.rows('attachment', message.attachment_ids)
      return files.map(({ filename, content_type, content_id, content }) => {
        return { filename, content_type, content_id, content }
      })
    },
    rawOf: (message) => rawMessage(message, store),
    bodyOf: (message) => store.bodyOf(message),
    textOf(message) {
      const { text, html } = store.bodyOf(message)
      return text || (html === null ? '' : textOfHtml(html))
    },
    webhook: (id) => own(store.get('webhook', id)),
    webhooks: () => store.rows('webhook', allIds(store.webhooks(organizationId))),
  }
}

/** Returns the ids of a list in the order of creation. */
function allIds(list: RowList): string[] {
  return list.page({ order: 'created', offset: 0, limit: list.count })
}
