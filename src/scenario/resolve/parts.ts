import type { Scenario, ScenarioIdentity, ScenarioOrganization } from '../format/index.js'
import type { Path } from '../problems/problem.js'

/** An organization of a scenario, with everything it owns and its place in the file. */
export interface OrganizationPart {
  readonly organization: ScenarioOrganization
  /** What the ids of its parts are made from. */
  readonly name: string
  readonly path: Path
}

/** Every organization of a scenario, first the one whose agents it is about. */
export function allOrganizations(scenario: Scenario): OrganizationPart[] {
  const { organization, identities, webhooks, organizations } = scenario
  const further = nameParts(organizations, ({ api_keys, name }) => api_keys[0] ?? name)
  return [
    { organization: { ...organization, identities, webhooks }, name: 'organization', path: [] },
    ...further.map(([name, other], index) => {
      return { organization: other, name: `organizations/${name}`, path: ['organizations', index] }
    }),
  ]
}

/** Every identity of a scenario with its place, those of further organizations last. */
export function allIdentities(scenario: Scenario): { identity: ScenarioIdentity; path: Path }[] {
  return allOrganizations(scenario).flatMap(({ organization, path }) =>
    organization.identities.map((identity, index) => ({ identity, path: [...path, 'identities', index] })),
  )
}

/** The address of an identity's mailbox, given or not. */
export function addressOf({ handle, mailbox_address: address }: ScenarioIdentity): string {
  return address ?? `${handle.toLowerCase()}@agents.example`
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
