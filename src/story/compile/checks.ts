import { keyOf, type Path, quoted } from '../../base/mistake.js'
import { grouped } from '../../base/text.js'
import { formatInstant, parseDuration, parseInstant } from '../../service/time/time.js'
import type { ScenarioThread, ScenarioWebhook } from '../format/mailbox.js'
import type { Scenario } from '../format/scenario.js'
import { instantOf } from '../format/values.js'
import { noIdentity, noSuch, type ProblemAt } from '../read/problem.js'
import type { KeyedMessage, ResolvedEntry } from './names.js'
import { type Lookups, placeOf } from './names.js'
import type { Agent, OrganizationPart } from './parts.js'

/** The maximum number of messages that all mailboxes of a scenario generate. */
const maxGeneratedMessages = 5_000_000
/** The maximum number of occurrences of a timeline, counting repetitions. */
const maxOccurrences = 100_000

/**
 * Checks for duplicate handles, addresses and keys, webhooks of unknown agents, times that are out of order, and too much
 * mail or too many occurrences.
 */
export function checkOrganizations(
  lookups: Lookups,
  scenario: Scenario,
  parts: readonly OrganizationPart[],
  resolvedEntries: readonly ResolvedEntry[],
): void {
  const start = parseInstant(scenario.start) as number
  for (const { agents, organization, path } of parts) {
    checkNames(lookups, agents)
    checkWebhooks(lookups, organization.webhooks, { agents, path })
  }
  checkApiKeys(lookups, parts)
  for (const { identity, path, threads } of lookups.names.agents) {
    checkDuplicates(lookups, 'thread', keyed(identity.threads, [...path, 'threads']))
    for (const { thread, path: own } of threads) {
      checkDuplicates(lookups, 'message', keyed(thread.messages, [...own, 'messages']))
      checkTimes(lookups, thread, start, [...own, 'messages'])
    }
  }
  checkGenerated(lookups)
  checkStory(lookups, resolvedEntries, keyed(scenario.expect, ['expect']))
}

/** Checks the keys and the number of the entries of a timeline; `expected` are the expectations with keys. */
function checkStory(
  lookups: Lookups,
  resolvedEntries: readonly ResolvedEntry[],
  expected: readonly KeyInFile[],
): void {
  // Entries and expectations share their keys, since `before` and `after` may name either.
  const entries = resolvedEntries.flatMap(({ entry: { key }, path }) =>
    key === undefined ? [] : [{ key, path }],
  )
  checkDuplicates(lookups, 'entry or expectation', [...entries, ...expected])
  checkKeysInThreads(lookups)
  checkAmounts(lookups, resolvedEntries)
}

function checkApiKeys(lookups: Lookups, parts: readonly OrganizationPart[]): void {
  const owners = new Map<string, object>()
  for (const { organization, path } of parts) {
    for (const [index, key] of organization.api_keys.entries()) {
      const owner = owners.get(key) ?? organization
      owners.set(key, owner)
      if (owner === organization) continue
      const place = path.length === 0 ? ['organization'] : path
      lookups.problem([...place, 'api_keys', index], 'the key already belongs to another organization')
    }
  }
}

/** Checks for duplicate handles and addresses in an organization. */
function checkNames(lookups: Lookups, agents: readonly Agent[]): void {
  const handles = new Map<string, Path>()
  const addresses = new Map<string, Path>()
  for (const { handle, address, path } of agents) {
    const byHandle = handles.get(handle)
    const byAddress = addresses.get(address.toLowerCase())
    if (byHandle) lookups.problem([...path, 'handle'], takenBy('handle', handle, byHandle))
    else if (byAddress) lookups.problem([...path, 'mailbox_address'], takenBy('address', address, byAddress))
    handles.set(handle, byHandle ?? path)
    addresses.set(address.toLowerCase(), byAddress ?? path)
  }
}

function checkWebhooks(
  lookups: Lookups,
  webhooks: readonly ScenarioWebhook[],
  { agents, path }: Pick<OrganizationPart, 'agents' | 'path'>,
): void {
  const handles = new Set(agents.map(({ handle }) => handle))
  for (const [index, { agent_handle: handle }] of webhooks.entries()) {
    const own = [...path, 'webhooks', index]
    if (handle === undefined || handles.has(handle)) continue
    lookups.problem([...own, 'agent_handle'], () => noIdentity(handle, handles))
  }
}

function takenBy(what: string, name: string, by: Path): string {
  return `the ${what} ${quoted(name)} is taken by another identity, ${keyOf(by)}`
}

/** The key of a part of a scenario, and the path of the part. */
interface KeyInFile {
  readonly key: string
  readonly path: Path
}

/** Returns the parts of a list that have keys. */
function keyed(parts: readonly { readonly key?: string | undefined }[], path: Path): KeyInFile[] {
  return parts.flatMap(({ key }, index) => (key === undefined ? [] : [{ key, path: [...path, index] }]))
}

/** Checks for parts with the same key. */
function checkDuplicates(lookups: Lookups, what: string, parts: readonly KeyInFile[]): void {
  const first = new Map<string, Path>()
  for (const { key, path } of parts) {
    const before = first.get(key)
    if (before) {
      const message = `the key ${quoted(key)} already belongs to another ${what}, ${keyOf(before)}`
      lookups.problem([...path, 'key'], message)
    } else first.set(key, path)
  }
}

/** Checks for messages of the timeline with the key of another message in their thread. */
function checkKeysInThreads(lookups: Lookups): void {
  const first = new Map<string, KeyedMessage>()
  for (const message of lookups.names.messages({})) {
    const { key, path } = message
    const name = JSON.stringify([key, placeOf(message)])
    const before = first.get(name)
    if (before && path[0] === 'timeline') {
      const other = keyOf(before.path.slice(0, -1))
      lookups.problem(path, `the key ${quoted(key)} already belongs to another message, ${other}`)
    }
    first.set(name, message)
  }
}

/** Checks that messages are in order and not after the start of the story. */
function checkTimes(lookups: Lookups, { messages }: ScenarioThread, start: number, path: Path): void {
  let above: { readonly at: string | undefined; readonly instant: number } | undefined
  for (const [index, { at, eml, maildir }] of messages.entries()) {
    // A mail file states its own time.
    if (at === undefined && (eml ?? maildir) !== undefined) continue
    const instant = at === undefined ? start : (instantOf(at, start) ?? start)
    const own = [...path, index, 'at']
    if (at !== undefined && instant > start) lookups.problem(own, afterStart(at, start))
    else if (at !== undefined && above && instant < above.instant) {
      const time = above.at && `at ${timeText(above.at, above.instant)}`
      const when = time ?? 'which has no "at" and therefore comes at the start'
      const message = `${timeText(at, instant)} is before the message above it, ${when}`
      lookups.problem(own, `${message}; messages are listed oldest first`)
    }
    above = { at, instant }
  }
}

function afterStart(at: string, start: number): string {
  const isDuration = parseDuration(at) !== undefined
  const begins = isDuration ? '' : `, ${formatInstant(start, 'seconds')}`
  const hint = isDuration ? ` (did you mean "-${at}"?)` : ''
  return `${at} is after the start of the story${begins}${hint}; what happens later belongs in the timeline`
}

/** Formats a time as written, followed by its instant. */
function timeText(at: string, instant: number): string {
  const text = formatInstant(instant, 'seconds')
  return parseDuration(at) === undefined ? text : `${at} (${text})`
}

/** Checks the limit of generated mail. */
function checkGenerated(lookups: Lookups): void {
  let messages = 0
  for (const { identity, path } of lookups.names.agents) {
    if (!identity.generate) continue
    const before = messages
    const { threads, messages: each } = identity.generate
    messages += threads * (typeof each === 'number' ? each : each[1])
    if (before > maxGeneratedMessages || messages <= maxGeneratedMessages) continue
    const message = `brings the generated messages to ${grouped(messages)}, counting threads with the most messages; expected at most ${grouped(maxGeneratedMessages)} in total`
    lookups.problem([...path, 'generate', 'threads'], message)
  }
}

/** Checks the limit of a timeline. */
function checkAmounts(lookups: Lookups, resolvedEntries: readonly ResolvedEntry[]): void {
  let count = 0
  for (const { entry, path } of resolvedEntries) {
    const before = count
    count += entry.repeat?.times ?? 1
    if (before > maxOccurrences || count <= maxOccurrences) continue
    const message = `brings the timeline to ${grouped(count)} occurrences; expected at most ${grouped(maxOccurrences)} in total`
    lookups.problem(entry.repeat ? [...path, 'repeat', 'times'] : path, message)
  }
}

/** Returns the problems of unknown operations in a scenario. */
export function unknownNames(
  { expect, extend, timeline }: Scenario,
  operations: readonly string[],
): ProblemAt[] {
  const problems: ProblemAt[] = []
  const more = extend === undefined ? ' With "extend: common", there are more' : ''
  const check = (name: unknown, ...path: Path): void => {
    if (typeof name !== 'string' || operations.includes(name)) return
    problems.push({ path, message: () => `${noSuch('operation', name, operations)}${more}` })
  }
  for (const [place, one] of expect.entries()) {
    check((one as { readonly request?: unknown }).request, 'expect', place, 'request')
  }
  for (const [place, entry] of timeline.entries()) {
    check(entry.fault?.operation, 'timeline', place, 'fault', 'operation')
    check(entry.when?.request, 'timeline', place, 'when', 'request')
  }
  return problems
}
