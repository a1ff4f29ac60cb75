import { idOf } from '../../world/index.js'
import type {
  Scenario,
  ScenarioIdentity,
  ScenarioMessage,
  ScenarioOrganization,
  ScenarioThread,
} from '../format/index.js'
import type { Path } from '../problems/problem.js'

/** An organization of a scenario, with everything it owns and its place in the file. */
export interface OrganizationPart {
  readonly organization: ScenarioOrganization
  readonly id: string
  /** What its id and those of its parts are made from. */
  readonly name: string
  readonly path: Path
}

/** Every organization of a scenario, first the one whose agents it is about. */
export function allOrganizations(scenario: Scenario, seed: number): OrganizationPart[] {
  const { organization, identities, webhooks, organizations } = scenario
  const part = (name: string, whole: ScenarioOrganization, path: Path): OrganizationPart => {
    return { organization: whole, id: idOf('organization', seed, name), name, path }
  }
  const further = nameParts(organizations, ({ api_keys, name }) => api_keys[0] ?? name)
  return [
    part('organization', { ...organization, identities, webhooks }, []),
    ...further.map(([name, other], index) => part(`organizations/${name}`, other, ['organizations', index])),
  ]
}

/** An agent of a scenario. */
export interface Agent {
  readonly id: string
  /** What its id and the streams of its fields are named by. */
  readonly name: string
  readonly handle: string
  /** The address of its mailbox, given or not. */
  readonly address: string
  /** The language of its mailbox. */
  readonly locale: string
  readonly identity: ScenarioIdentity
  readonly organization: OrganizationPart
  /** Where its identity stands in the file. */
  readonly path: Path
}

/** Every agent of a scenario in the order of the file, those of further organizations last. */
export function agentsOf(
  organizations: readonly OrganizationPart[],
  { locale: usual }: Scenario,
  seed: number,
): Agent[] {
  return organizations.flatMap((organization) => {
    return organization.organization.identities.map((identity, index): Agent => {
      const { handle, locale = usual, mailbox_address } = identity
      const name = `${organization.id}/identities/${handle}`
      const address = mailbox_address ?? `${handle.toLowerCase()}@agents.example`
      const path = [...organization.path, 'identities', index]
      return { id: idOf('identity', seed, name), name, handle, address, locale, identity, organization, path }
    })
  })
}

/** Names the written threads of an identity. */
export function nameThreads({ threads }: ScenarioIdentity): [string, ScenarioThread][] {
  return nameParts(threads, ({ key, subject }) => key ?? subject ?? 'thread')
}

/** Names the messages of a written thread. */
export function nameMessages({ messages }: ScenarioThread): [string, ScenarioMessage][] {
  return nameParts(messages, ({ key, at, eml, maildir }) => {
    return key ?? at ?? eml ?? (maildir === undefined ? 'message' : 'maildir')
  })
}

/**
 * Names parts of a scenario that have no name of their own, so that every generated value depends on what the part
 * is, not on where it stands: the same name twice gets a number.
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
