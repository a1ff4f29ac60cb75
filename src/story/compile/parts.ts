import type { Path } from '../../base/mistake.js'
import { idOf } from '../../service/time/random.js'
import type {
  ScenarioIdentity,
  ScenarioMessage,
  ScenarioOrganization,
  ScenarioThread,
} from '../format/mailbox.js'

/** The place of a part: the name of the stream of its templates, its path in the file, and its language. */
export interface Place {
  readonly name: string
  readonly path: Path
  readonly locale: string
  /** Whether its text may contain parts of the message that it replies to. */
  readonly isAnswer?: boolean
}

/** Returns the place of a field of a part. */
export function fieldAt({ name, path, locale, isAnswer }: Place, field: string): Place {
  return { name: `${name}/${field}`, path: [...path, field], locale, ...(isAnswer && { isAnswer }) }
}

/** An organization of a scenario, with everything it owns. The id of a part is derived from its name. */
export interface OrganizationPart extends Place {
  readonly id: string
  readonly organization: ScenarioOrganization
  readonly agents: readonly Agent[]
}

/** An agent of a scenario, with the language of its mailbox. */
export interface Agent extends Place {
  readonly id: string
  readonly handle: string
  /** The address of its mailbox, stated or default. */
  readonly address: string
  readonly identity: ScenarioIdentity
  readonly threads: readonly ThreadPart[]
}

/** A written thread. */
export interface ThreadPart extends Place {
  readonly id: string
  readonly thread: ScenarioThread
  readonly messages: readonly MessagePart[]
}

/** A message of a written thread. */
export interface MessagePart extends Place {
  readonly id: string
  readonly message: ScenarioMessage
}

/** The organizations of a scenario: the one whose agents it is about, and the others. */
interface ScenarioOrganizations extends Pick<ScenarioOrganization, 'identities' | 'webhooks'> {
  readonly organization: Pick<ScenarioOrganization, 'name' | 'api_keys'>
  readonly organizations: readonly ScenarioOrganization[]
  readonly locale: string
}

/** Returns every organization of a scenario, first the one whose agents it is about. */
export function organizationsOf(
  scenario: ScenarioOrganizations,
  seed: number,
): [OrganizationPart, ...OrganizationPart[]] {
  const { organization, identities, webhooks, organizations, locale } = scenario
  const part = (name: string, whole: ScenarioOrganization, path: Path): OrganizationPart => {
    const place = { id: idOf('organization', seed, name), name, path, locale }
    const agents = whole.identities.map((identity, index) => agentOf(place, identity, index, seed))
    return { ...place, organization: whole, agents }
  }
  const further = nameParts(organizations, ({ api_keys, name }) => api_keys[0] ?? name)
  return [
    part('organization', { ...organization, identities, webhooks }, []),
    ...further.map(([name, other], index) => part(`organizations/${name}`, other, ['organizations', index])),
  ]
}

function agentOf(
  owner: Place & { readonly id: string },
  identity: ScenarioIdentity,
  index: number,
  seed: number,
): Agent {
  const { handle, locale = owner.locale, mailbox_address, threads } = identity
  const name = `${owner.id}/identities/${handle}`
  const place = { id: idOf('identity', seed, name), name, path: [...owner.path, 'identities', index], locale }
  const address = mailbox_address ?? `${handle.toLowerCase()}@agents.example`
  const named = nameParts(threads, ({ key, subject }) => key ?? subject ?? 'thread')
  const parts = named.map(([own, thread], at) => {
    const part = { name: `${place.id}/threads/${own}`, path: [...place.path, 'threads', at], locale }
    return threadOf(part, thread, seed)
  })
  return { ...place, handle, address, identity, threads: parts }
}

function threadOf(place: Place, thread: ScenarioThread, seed: number): ThreadPart {
  const named = nameParts(thread.messages, nameOfMessage)
  const messages = named.map(([own, message], index): MessagePart => {
    const name = `${place.name}/${own}`
    const path = [...place.path, 'messages', index]
    return { id: idOf('message', seed, name), name, path, locale: place.locale, message }
  })
  return { ...place, id: idOf('thread', seed, place.name), thread, messages }
}

/** Returns the name of a message of a thread, from which its id follows. */
export function nameOfMessage({ key, at, eml, maildir }: MessageNames): string {
  return key ?? at ?? eml ?? (maildir === undefined ? 'message' : 'maildir')
}

/** The parts of a written message that name it. */
type MessageNames = {
  readonly [Name in 'key' | 'at' | 'eml' | 'maildir']?: ScenarioMessage[Name] | undefined
}

/**
 * Names the parts of a list by their contents rather than their positions, so that generated values stay the same when
 * parts move. A duplicate name gets a number.
 */
export function nameParts<Part>(parts: readonly Part[], nameOf: (part: Part) => string): [string, Part][] {
  const counts = new Map<string, number>()
  return parts.map((part) => {
    const name = nameOf(part)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return [count === 1 ? name : `${name}#${count}`, part]
  })
}
