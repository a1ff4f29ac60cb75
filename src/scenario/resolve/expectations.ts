import { everyOperationName } from '../../contract/extensions.js'
import { type Operation, type OperationName, operations } from '../../contract/operations.js'
import type { Identity, Message, Thread } from '../../contract/resources.js'
import { nearestOf } from '../../contract/text.js'
import type { StateExpectation } from '../../world/index.js'
import type { Scenario, ScenarioExpectation } from '../format/index.js'
import { keyOf, type Path, quoted } from '../problems/problem.js'
import type { Lookups } from './lookups.js'
import type { KeyedMessage, KeyedThread } from './names.js'
import type { Agent } from './parts.js'

/** The resource whose state is expected, and the streams that filled in the templates of its fields. */
export interface Subject extends Pick<StateExpectation, 'kind' | 'id' | 'name'> {
  readonly owner: Agent
  /** Returns the name of the stream of a field; undefined if the field takes no templates. */
  sourceOf(field: string): string | undefined
}

/** An expectation whose references are resolved. */
export interface ResolvedExpectation {
  readonly expectation: ScenarioExpectation
  readonly path: Path
  /** The resource it is about; undefined if it is about requests, deliveries or the like. */
  readonly subject: Subject | undefined
  /** The threads that query parameters refer to, by the name of the parameter. */
  readonly threads: ReadonlyMap<string, KeyedThread>
}

/** The fields that an expectation may compare. */
const fields = {
  identity: ['display_name', 'description', 'mailbox_address', 'agent_handle'] satisfies (keyof Identity)[],
  thread: ['subject', 'snippet', 'unread', 'message_count'] satisfies (keyof Thread)[],
  message: ['direction', 'from', 'to', 'subject', 'text', 'html'] satisfies (keyof Message)[],
} as const

/** Resolves expectations; leaves out those whose subject is not found. */
export function resolveExpectations(lookups: Lookups, scenario: Scenario): ResolvedExpectation[] {
  checkMoments(lookups, scenario)
  return scenario.expect.flatMap((expectation, index) => {
    if (lookups.isFull) return []
    const path = ['expect', index]
    const subject = subjectOf(lookups, expectation, path)
    checkFields(lookups, expectation, path)
    const threads = threadsInQuery(lookups, expectation, path)
    return subject === 'unknown' ? [] : [{ expectation, path, subject, threads }]
  })
}

function subjectOf(
  lookups: Lookups,
  { identity, thread, message }: ScenarioExpectation,
  path: Path,
): Subject | 'unknown' | undefined {
  if ((identity ?? thread ?? message) === undefined) return undefined
  const owner = lookups.agent(identity, [...path, 'identity'])
  if (owner === 'unknown') return owner
  const wanted = { key: thread ?? '', owner, ownerKey: 'identity' } as const
  const inThread = thread === undefined ? undefined : lookups.thread(wanted, [...path, 'thread'])
  if (thread !== undefined && !inThread) return 'unknown'
  if (message !== undefined) {
    const found = lookups.message(message, { owner: inThread?.owner ?? owner, thread }, [...path, 'message'])
    return found ? messageSubject(found) : 'unknown'
  }
  return inThread ? threadSubject(inThread) : owner && identitySubject(owner)
}

function identitySubject(owner: Agent): Subject {
  const written = ['display_name', 'description']
  const sourceOf = (field: string) => (written.includes(field) ? `${owner.name}/${field}` : undefined)
  return { kind: 'identity', id: owner.id, name: `identity ${owner.handle}`, owner, sourceOf }
}

function threadSubject({ id, key, owner, subjectFrom }: KeyedThread): Subject {
  const sourceOf = (field: string) => (field === 'subject' ? subjectFrom : undefined)
  return { kind: 'thread', id, name: `thread "${key}" of ${owner.handle}`, owner, sourceOf }
}

function messageSubject({ id, key, name, owner, subjectFrom }: KeyedMessage): Subject {
  const sourceOf = (field: string): string | undefined => {
    if (field === 'subject') return subjectFrom
    // One of several recipients has to fit: the first.
    if (field === 'to') return `${name}/to/0`
    return ['from', 'text', 'html'].includes(field) ? `${name}/${field}` : undefined
  }
  return { kind: 'message', id, name: `message "${key}" of ${owner.handle}`, owner, sourceOf }
}

function checkFields(lookups: Lookups, expectation: ScenarioExpectation, path: Path): void {
  const kind = (['message', 'thread', 'identity'] as const).find((name) => expectation[name] !== undefined)
  if (!kind) return
  const known: readonly string[] = fields[kind]
  const article = kind === 'identity' ? 'an' : 'a'
  for (const field of Object.keys(expectation.has ?? {})) {
    if (known.includes(field)) continue
    const message = () => `${article} ${kind} has no such field to compare${nearestOf(field, known)}`
    lookups.problem([...path, 'has', field], message, 'key')
  }
}

/** Resolves the threads that query parameters refer to; an unknown parameter is a problem. */
function threadsInQuery(
  lookups: Lookups,
  { request, where }: ScenarioExpectation,
  path: Path,
): Map<string, KeyedThread> {
  const threads = new Map<string, KeyedThread>()
  const operation: Operation | undefined = operations[request as OperationName]
  if (!operation) return threads
  const known = Object.keys(operation.query)
  for (const [name, parameter] of Object.entries(where?.query ?? {})) {
    const own = [...path, 'where', 'query', name]
    // If the interface leaves the names of parameters open, any name may be right.
    if (!operation.unnamedQuery && !known.includes(name)) {
      const message = () => `${request} has no such parameter in its query${nearestOf(name, known)}`
      lookups.problem(own, message, 'key')
    } else if (typeof parameter === 'object' && parameter?.thread !== undefined) {
      const thread = threadOf(lookups, name, { ...parameter, thread: parameter.thread }, own)
      if (thread) threads.set(name, thread)
    }
  }
  return threads
}

/** Resolves the thread whose id a parameter should be. */
function threadOf(
  lookups: Lookups,
  name: string,
  { thread: key, identity }: { readonly thread: string; readonly identity?: string | undefined },
  path: Path,
): KeyedThread | undefined {
  if (name !== 'thread_id') {
    lookups.problem([...path, 'thread'], `${name} is not a thread id; that is thread_id`, 'key')
    return undefined
  }
  const owner = lookups.agent(identity, [...path, 'identity'])
  if (owner === 'unknown') return undefined
  return lookups.thread({ key, owner, ownerKey: 'identity' }, [...path, 'thread'])
}

const sides = ['before', 'after'] as const

/** Checks that whatever `before` and `after` name exists, has a moment, and does not wait in turn. */
function checkMoments(lookups: Lookups, { timeline, expect }: Scenario): void {
  const byKey = new Map(expect.flatMap((one) => (one.key === undefined ? [] : [[one.key, one] as const])))
  const names = everyOperationName(lookups.extensions)
  const known = new Set([
    ...names,
    ...timeline.flatMap(({ key, when }) => (when ? [] : (key ?? []))),
    ...byKey.keys(),
  ])
  for (const [index, expectation] of expect.entries()) {
    for (const side of sides) {
      const wanted = expectation[side]
      if (wanted === undefined) continue
      const path = ['expect', index, side]
      const other = isOperation(wanted, names) ? undefined : byKey.get(wanted)
      if (wanted === expectation.key) lookups.problem(path, `${quoted(wanted)} is this expectation itself`)
      else if (!known.has(wanted)) {
        const others = () => [...known].filter((key) => key !== expectation.key)
        const message = `${quoted(wanted)} is neither an operation nor the key of an entry or expectation`
        lookups.problem(path, () => `${message}${nearestOf(wanted, others())}`)
      } else if (side === 'before' && wanted === expectation.request) {
        lookups.problem(path, `nothing of ${wanted} comes before the first of ${wanted}`)
      } else if (other && isTrueFromTheStart(other)) lookups.problem(path, alwaysTrue(wanted))
      else if (other && waitsFor(other, expectation, byKey)) {
        const message = `${quoted(wanted)} itself waits for ${keyOf(['expect', index])}; neither would come first`
        lookups.problem(path, message)
      }
    }
  }
  checkNotOperations(lookups, timeline, 'timeline')
  checkNotOperations(lookups, expect, 'expect')
}

function isOperation(name: string | undefined, names: readonly string[]): boolean {
  return names.some((known) => known === name)
}

function alwaysTrue(wanted: string): string {
  return (
    `${quoted(wanted)} is true from the start, so nothing comes before or after it; expected something that comes ` +
    'true, such as a request with "at_least"'
  )
}

/** Returns whether an expectation is true before anything happens. */
function isTrueFromTheStart(expectation: ScenarioExpectation): boolean {
  const { reliances, errors, invariant, times, at_least, at_most } = expectation
  if (reliances ?? errors ?? invariant) return true
  return (times ?? at_least ?? (at_most === undefined ? 1 : 0)) === 0
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

/** Checks that no key is the name of an operation, since `before` and `after` may name either. */
function checkNotOperations(
  lookups: Lookups,
  parts: readonly { readonly key?: string | undefined }[],
  name: string,
): void {
  for (const [index, { key }] of parts.entries()) {
    if (!isOperation(key, everyOperationName(lookups.extensions))) continue
    lookups.problem([name, index, 'key'], `${key} is the name of an operation; expected another key`)
  }
}
