import { expectedOneOf } from '../../base/text.js'
import { everyOperationName } from '../../contract/extensions.js'
import type { GapId } from '../../contract/gaps.js'
import { type DocumentedOperation, type OperationName, operations } from '../../contract/operations.js'
import type { Identity, Message, Thread } from '../../contract/resources.js'
import { formatMailbox, parseMailboxList } from '../../mail/index.js'
import {
  type Expectation,
  type ExpectedValue,
  type Milestone,
  parseDuration,
  type RequestCondition,
  type SentCondition,
  type StateExpectation,
  type StoryWindow,
} from '../../service/world/index.js'
import { kindOfExpectation } from '../format/expectation.js'
import type { Scenario, ScenarioExpectation } from '../format/index.js'
import { keyOf, noSuch, type Path, quoted } from '../problems/problem.js'
import type { Lookups } from '../resolve/lookups.js'
import type { Agent } from '../resolve/parts.js'
import type { Compilation } from './compilation.js'
import { addressOf, resolveSent } from './sent.js'
import type { Texts } from './texts.js'

/**
 * Compiles an expectation whose references are resolved: keys become ids, templates get the values they have in the
 * story. `places` maps the key of a timeline entry to the position where it first happens.
 */
type CompileExpectation = (
  compilation: Compilation,
  places: ReadonlyMap<string, number>,
) => Promise<Expectation>

/** Resolves expectations; omits those whose subject is not found. */
export function resolveExpectations(lookups: Lookups, scenario: Scenario): CompileExpectation[] {
  checkMoments(lookups, scenario)
  const names = everyOperationName(lookups.extensions)
  const positions = new Map(scenario.expect.map(({ key }, index) => [key, index]))
  return scenario.expect.flatMap((expectation, index) => {
    if (lookups.isFull) return []
    const path = ['expect', index]
    const subject = subjectOf(lookups, expectation, path)
    checkFields(lookups, expectation, path)
    const query = resolveQuery(lookups, expectation, path)
    const { sent: written = 'none' } = expectation
    const sent = written === 'none' ? {} : resolveSent(lookups, written, [...path, 'sent'])
    const allowedTo = resolveLeak(lookups, scenario, expectation, path)
    if (subject === 'unknown' || !sent) return []
    return async (compilation, places) => {
      const has = subject && (await fieldsOf(compilation.texts, subject, expectation, path))
      await compilation.texts.turn()
      const window = windowOf(expectation, (name): Milestone => {
        const operation = names.find((known) => known === name)
        if (operation) return { name, kind: 'operation', operation }
        const entry = places.get(name)
        if (entry !== undefined) return { name, kind: 'entry', entry }
        const position = positions.get(name)
        if (position !== undefined) return { name, kind: 'expectation', expectation: position }
        return { name, kind: 'time', after: parseDuration(name) as number }
      })
      const { key = null, describe = null, weight } = expectation
      const about = { key, describe, ...(weight !== undefined && { weight }) }
      if (!subject) return { ...about, ...contentOf(expectation, { query, sent, allowedTo }, window) }
      const { kind, id, name } = subject
      return { ...about, kind, id, name, has: has ?? {}, window }
    }
  })
}

/** What an expectation refers to. */
interface ResolvedParts {
  readonly query: RequestCondition['query']
  readonly sent: SentCondition
  readonly allowedTo: readonly string[]
}

type Content<Kinded = Expectation> = Kinded extends StateExpectation
  ? never
  : Omit<Kinded, 'key' | 'describe'>

/** Returns the content of an expectation that is not about the state of a resource. */
function contentOf(
  expectation: ScenarioExpectation,
  { query, sent, allowedTo }: ResolvedParts,
  window: StoryWindow,
): Content {
  const { request, delivery, reliances, invariant, leak, where, times, at_most: most = null } = expectation
  const others = isAboutOthers(expectation)
  const isNone = others || expectation.sent === 'none'
  const amount = { least: leastOf(expectation), most: isNone ? 0 : (times ?? most) }
  if (request !== undefined) {
    return {
      kind: 'request',
      operation: request,
      where: { ...where, ...(query && { query }) },
      amount,
      window,
    }
  }
  if (expectation.sent !== undefined) return { kind: 'sent', where: sent, others, amount, window }
  if (delivery !== undefined) {
    const { status = null, url = null } = expectation
    return { kind: 'delivery', event: delivery, status, url, amount, window }
  }
  if (reliances) return { kind: 'reliances', gaps: reliances as GapId[] }
  if (leak !== undefined) {
    return { kind: 'leak', secrets: leak === 'none' ? null : leak, allowedTo }
  }
  if (!invariant) return { kind: 'errors', except: expectation.except ?? [] }
  return { kind: 'invariant', invariant, atMost: most, writes: expectation.writes ?? null, window }
}

/** Checks the secrets that may not leak; returns the addresses to which they may be sent. */
function resolveLeak(
  lookups: Lookups,
  { secrets = {} }: Scenario,
  { leak, allowed_to = [] }: ScenarioExpectation,
  path: Path,
): string[] {
  const known = Object.keys(secrets)
  if (leak === 'none' && known.length === 0) {
    lookups.problem([...path, 'leak'], 'this scenario has no secrets; define some under "secrets"')
  }
  for (const [index, name] of (leak === 'none' ? [] : (leak ?? [])).entries()) {
    if (!known.includes(name)) lookups.problem([...path, 'leak', index], () => noSuch('secret', name, known))
  }
  return allowed_to.map((one, index) => addressOf(lookups, one, [...path, 'allowed_to', index]))
}

/** Returns the minimum number: one or more by default. */
function leastOf(expectation: ScenarioExpectation): number {
  const { sent, times, at_least, at_most } = expectation
  if (sent === 'none' || isAboutOthers(expectation)) return 0
  return times ?? at_least ?? (at_most === undefined ? 1 : 0)
}

/**
 * Returns whether an expectation forbids mail to any but the given recipients: without a number, every
 * message must go only to them.
 */
function isAboutOthers({ sent, times, at_least, at_most }: ScenarioExpectation): boolean {
  const to = typeof sent === 'object' ? sent.to : undefined
  const isOnly = typeof to === 'object' && 'only' in to
  return isOnly && (times ?? at_least ?? at_most) === undefined
}

/** The resource whose state is expected. */
interface Subject extends Pick<StateExpectation, 'kind' | 'id' | 'name'> {
  readonly owner: Agent
  /** The prefix of the names of the streams that fill in its fields. */
  readonly stream: string
  /** The name of the stream that fills in its subject. */
  readonly subjectFrom: string
}

/** The fields that an expectation may compare: the name of the stream of those that take templates, or null. */
const fields = {
  identity: {
    display_name: 'display_name',
    description: 'description',
    mailbox_address: null,
    agent_handle: null,
  } satisfies Streams<Identity>,
  thread: { subject: 'subject', snippet: null, unread: null, message_count: null } satisfies Streams<Thread>,
  message: {
    direction: null,
    from: 'from',
    // One of several recipients has to match: the first one.
    to: 'to/0',
    subject: 'subject',
    text: 'text',
    html: 'html',
  } satisfies Streams<Message>,
}

type Streams<Resource> = Partial<Record<keyof Resource, string | null>>

function subjectOf(
  lookups: Lookups,
  expectation: ScenarioExpectation,
  path: Path,
): Subject | 'unknown' | undefined {
  const { identity, thread, message } = expectation
  if ((identity ?? thread ?? message) === undefined) return undefined
  const found = lookups.target(expectation, path)
  const resource = found?.message ?? found?.thread
  if (resource) {
    const { id, key, owner, name: stream, subjectFrom } = resource
    const kind = found?.message ? 'message' : 'thread'
    return { kind, id, name: `${kind} "${key}" of ${owner.handle}`, owner, stream, subjectFrom }
  }
  const owner = found?.owner
  if (!owner) return 'unknown'
  const { id, handle, name: stream } = owner
  return { kind: 'identity', id, name: `identity ${handle}`, owner, stream, subjectFrom: '' }
}

function checkFields(lookups: Lookups, expectation: ScenarioExpectation, path: Path): void {
  const kind = kindOfExpectation(expectation)
  const known = Object.keys(fields[kind as keyof typeof fields] ?? {})
  const article = kind === 'identity' ? 'an' : 'a'
  for (const field of Object.keys(expectation.has ?? {})) {
    if (known.includes(field)) continue
    const message = () => `${article} ${kind} has no such field to compare${expectedOneOf(field, known)}`
    lookups.problem([...path, 'has', field], message, 'key')
  }
}

/** Compiles the expected values of fields. */
async function fieldsOf(
  texts: Texts,
  subject: Subject,
  { has = {} }: ScenarioExpectation,
  path: Path,
): Promise<Record<string, ExpectedValue>> {
  const values: Record<string, ExpectedValue> = {}
  for (const [field, value] of Object.entries(has)) {
    values[field] = await fieldOf(texts, subject, field, value, [...path, 'has', field])
  }
  return values
}

type Field = NonNullable<ScenarioExpectation['has']>[string]

/** Compiles the expected value of a field; templates get the values they have in the story. */
async function fieldOf(
  texts: Texts,
  { kind, owner, stream, subjectFrom }: Subject,
  field: string,
  value: Field,
  path: Path,
): Promise<ExpectedValue> {
  const filled = async (template: string, at: Path): Promise<string> => {
    if (!template.includes('{{')) return template
    const source = (fields[kind] as Readonly<Record<string, string | null>>)[field]
    if (source) {
      const name = field === 'subject' ? subjectFrom : `${stream}/${source}`
      return texts.fill(template, { name, path: at, locale: owner.locale })
    }
    texts.problem(at, `no template is filled in here: "${field}" is derived from the rest of the story`)
    return template
  }
  if (typeof value === 'string') {
    const text = await filled(value, path)
    // In the form in which messages contain a sender.
    const [sender] = field === 'from' ? parseMailboxList(text) : []
    return sender ? formatMailbox(sender) : text
  }
  if (typeof value !== 'object' || value === null || value.contains === undefined) return value
  return { ...value, contains: await filled(value.contains, [...path, 'contains']) }
}

/** Resolves the threads that query parameters refer to; an unknown parameter is a problem. */
function resolveQuery(
  lookups: Lookups,
  { request, where }: ScenarioExpectation,
  path: Path,
): RequestCondition['query'] {
  const operation: DocumentedOperation | undefined = operations[request as OperationName]
  if (!operation || !where?.query) return where?.query
  const query: Record<string, ExpectedValue> = { ...where.query }
  const known = Object.keys(operation.query)
  for (const [name, parameter] of Object.entries(where.query)) {
    const own = [...path, 'where', 'query', name]
    // If the interface leaves the names of parameters open, any name may be right.
    if (!operation.unnamedQuery && !known.includes(name)) {
      const message = () => `${request} has no such parameter in its query${expectedOneOf(name, known)}`
      lookups.problem(own, message, 'key')
    } else if (typeof parameter !== 'object' || parameter?.thread === undefined) continue
    else if (name !== 'thread_id') {
      lookups.problem([...own, 'thread'], `${name} is not a thread id; that is thread_id`, 'key')
    } else {
      const thread = lookups.target(parameter, own)?.thread
      if (thread) query[name] = { id: thread.id, name: `thread ${thread.key}` }
    }
  }
  return query
}

/** Compiles the part of the story that an expectation is about; `milestone` finds what `before` and `after` name. */
function windowOf(
  { after, before, within }: ScenarioExpectation,
  milestone: (name: string) => Milestone,
): StoryWindow {
  return {
    after: after === undefined ? null : milestone(after),
    before: before === undefined ? null : milestone(before),
    within: within === undefined ? null : { text: within, milliseconds: parseDuration(within) as number },
  }
}

/**
 * Checks that what `before` and `after` name exists, has a definite time, and does not itself wait for
 * something.
 */
function checkMoments(lookups: Lookups, { timeline, expect }: Scenario): void {
  const byKey = new Map(expect.flatMap((one) => (one.key === undefined ? [] : [[one.key, one] as const])))
  const names = everyOperationName(lookups.extensions) as readonly string[]
  const entries = timeline.flatMap(({ key, when }) => (when ? [] : (key ?? [])))
  const known = new Set([...names, ...entries, ...byKey.keys()])
  for (const [index, expectation] of expect.entries()) {
    for (const side of ['before', 'after'] as const) {
      const wanted = expectation[side]
      if (wanted === undefined) continue
      const path = ['expect', index, side]
      const other = names.includes(wanted) ? undefined : byKey.get(wanted)
      if (wanted === expectation.key) lookups.problem(path, `${quoted(wanted)} is this expectation itself`)
      else if (!known.has(wanted) && !isDuration(wanted)) {
        const others = () => [...known].filter((key) => key !== expectation.key)
        const message = `${quoted(wanted)} is neither an operation nor the key of an entry or expectation, nor a time such as 5m`
        lookups.problem(path, () => `${message}${expectedOneOf(wanted, others())}`)
      } else if (side === 'before' && wanted === expectation.request) {
        lookups.problem(path, `nothing of ${wanted} comes before the first of ${wanted}`)
      } else if (other && isTrueFromTheStart(other)) lookups.problem(path, alwaysTrue(wanted))
      else if (other && waitsFor(other, expectation, byKey)) {
        const message = `${quoted(wanted)} itself waits for ${keyOf(['expect', index])}, so neither would come first`
        lookups.problem(path, message)
      }
    }
  }
  // No key is the name of an operation, since `before` and `after` may name either.
  for (const [name, parts] of Object.entries({ timeline, expect })) {
    for (const [index, { key }] of parts.entries()) {
      if (key === undefined || !names.includes(key)) continue
      lookups.problem([name, index, 'key'], `${key} is the name of an operation; expected another key`)
    }
  }
}

function isDuration(text: string): boolean {
  return (parseDuration(text) ?? 0) > 0
}

function alwaysTrue(wanted: string): string {
  return (
    `${quoted(wanted)} is true from the start, so nothing comes before or after it; expected something that comes ` +
    'true, such as a request with "at_least"'
  )
}

/** Returns whether an expectation is true before anything happens. */
function isTrueFromTheStart(expectation: ScenarioExpectation): boolean {
  const { reliances, errors, invariant, leak } = expectation
  return (reliances ?? errors ?? invariant ?? leak) !== undefined || leastOf(expectation) === 0
}

/** Returns whether an expectation waits for another one, directly or indirectly. */
function waitsFor(
  one: ScenarioExpectation,
  other: ScenarioExpectation,
  byKey: ReadonlyMap<string, ScenarioExpectation>,
): boolean {
  const reached = new Set([one])
  for (const { before, after } of reached) {
    for (const next of [byKey.get(before ?? ''), byKey.get(after ?? '')]) if (next) reached.add(next)
    if (reached.has(other)) return true
  }
  return false
}
