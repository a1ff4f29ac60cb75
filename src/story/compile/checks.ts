import { keyOf, type Path, quoted } from '../../base/mistake.js'
import { grouped } from '../../base/text.js'
import { parseDuration, parseInstant } from '../../service/time/time.js'
import type { ScenarioThread } from '../format/mailbox.js'
import type { Scenario } from '../format/scenario.js'
import { instantOf } from '../format/values.js'
import { noIdentity } from '../read/problem.js'
import { type KeyedMessage, type Lookups, placeOf, type ResolvedEntry } from './names.js'
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
  { start: begins, expect }: Scenario,
  parts: readonly OrganizationPart[],
  resolvedEntries: readonly ResolvedEntry[],
): void {
  const { agents } = lookups.names
  const start = parseInstant(begins) as number
  for (const part of parts) {
    checkNames(lookups, part.agents)
    checkWebhooks(lookups, part)
  }
  checkApiKeys(lookups, parts)
  for (const { identity, path, threads } of agents) {
    checkDuplicates(lookups, 'thread', 'key', keyed(identity.threads, [...path, 'threads']))
    for (const { thread, path } of threads) {
      const own = [...path, 'messages']
      checkDuplicates(lookups, 'message', 'key', keyed(thread.messages, own))
      checkTimes(lookups, thread, start, own)
    }
  }
  checkKeysInThreads(lookups)
  // Entries and expectations share their keys, since `before` and `after` may name either.
  const entries = resolvedEntries.map(({ entry }) => entry)
  const named = [...keyed(entries, ['timeline']), ...keyed(expect, ['expect'])]
  checkDuplicates(lookups, 'entry or expectation', 'key', named)
  const generated = agents.map(({ identity: { generate }, path }) => {
    const most = generate ? [generate.messages].flat().at(-1) : undefined
    return { count: (generate?.threads ?? 0) * (most ?? 0), path: [...path, 'generate', 'threads'] }
  })
  checkTotal(lookups, 'generated messages', maxGeneratedMessages, generated)
  const occurrences = resolvedEntries.map(({ entry: { repeat }, path }) => {
    return { count: repeat?.times ?? 1, path: repeat ? [...path, 'repeat', 'times'] : path }
  })
  checkTotal(lookups, 'occurrences of the timeline', maxOccurrences, occurrences)
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
  const handles = agents.map(({ handle, path }) => ({ name: handle, path }))
  checkDuplicates(lookups, 'identity', 'handle', handles)
  // Those with one handle usually have one address as well.
  const others = agents.filter(({ handle }, at) => agents.findIndex((one) => one.handle === handle) === at)
  const addresses = others.map(({ address, path }) => {
    return { name: address, path, id: address.toLowerCase() }
  })
  checkDuplicates(lookups, 'identity', 'mailbox_address', addresses)
}

function checkWebhooks(lookups: Lookups, { agents, organization, path }: OrganizationPart): void {
  const handles = new Set(agents.map(({ handle }) => handle))
  for (const [index, { agent_handle: handle }] of organization.webhooks.entries()) {
    if (handle === undefined || handles.has(handle)) continue
    const own = [...path, 'webhooks', index, 'agent_handle']
    lookups.problem(own, () => noIdentity(handle, handles))
  }
}

/** A name that a part of a file has. */
interface NameInFile {
  readonly name: string
  /** The path of the part. */
  readonly path: Path
  /** Equal for equal names; by default the name. */
  readonly id?: string
}

/** Returns the keys of a list of parts. */
function keyed(parts: readonly { readonly key?: string | undefined }[], path: Path): NameInFile[] {
  return parts.flatMap(({ key }, index) => (key === undefined ? [] : { name: key, path: [...path, index] }))
}

/** Checks for parts with the same name, which each of them has under the key `field`. */
function checkDuplicates(lookups: Lookups, what: string, field: string, names: readonly NameInFile[]): void {
  const first = new Map<string, Path>()
  for (const { name, path, id = name } of names) {
    const before = first.get(id)
    if (before) {
      const message = `the ${field} ${quoted(name)} already belongs to another ${what}`
      lookups.problem([...path, field], `${message}, ${keyOf(before)}`)
    } else first.set(id, path)
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
  let above = Number.NEGATIVE_INFINITY
  for (const [index, { at, eml, maildir }] of messages.entries()) {
    // A mail file states its own time.
    if (at === undefined && (eml ?? maildir) !== undefined) continue
    const instant = at === undefined ? start : (instantOf(at, start) ?? start)
    const own = [...path, index, 'at']
    if (at !== undefined && instant > start) {
      const hint = parseDuration(at) === undefined ? '' : ` (did you mean "-${at}"?)`
      const remedy = 'what happens later belongs in the timeline'
      lookups.problem(own, `${at} is after the start of the story${hint}; ${remedy}`)
    } else if (at !== undefined && instant < above) {
      const order = 'messages are listed oldest first, and one without "at" comes at the start'
      lookups.problem(own, `${at} is before the message above it; ${order}`)
    }
    above = instant
  }
}

/** Checks the limit of a sum; the part that exceeds it is a problem. */
function checkTotal(
  lookups: Lookups,
  what: string,
  most: number,
  parts: readonly { readonly count: number; readonly path: Path }[],
): void {
  let total = 0
  for (const { count, path } of parts) {
    total += count
    if (total <= most || total - count > most) continue
    lookups.problem(path, `brings the ${what} to ${grouped(total)}; expected at most ${grouped(most)}`)
  }
}
