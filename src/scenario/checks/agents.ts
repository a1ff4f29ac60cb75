import type { ScenarioPath } from '../building/building.js'
import type { ScenarioOrganization } from '../format/index.js'
import { quoted } from '../problems/found-value.js'
import { keyOf } from '../problems/places.js'
import type { ProblemAt } from '../problems/refusal.js'
import { noIdentity } from './no-such.js'
import type { Check, Story } from './story.js'
import { addressOf } from './story-names.js'

/** Handles and addresses that two agents have, and webhooks of an agent that is not there. */
export const checkAgents: Check = function* (story) {
  for (const { household, path } of households(story)) {
    yield* takenNames(household, path)
    const handles = household.identities.map(({ handle }) => handle)
    for (const [index, { agent_handle: handle }] of household.webhooks.entries()) {
      if (handle === undefined || handles.includes(handle)) continue
      yield { path: [...path, 'webhooks', index, 'agent_handle'], message: noIdentity(handle, handles) }
    }
  }
}

/** Keys that belong to two organizations; which they are is not told. */
export const checkApiKeys: Check = function* (story) {
  const owners = new Map<string, object>()
  for (const { household, path } of households(story)) {
    for (const [index, key] of household.api_keys.entries()) {
      const owner = owners.get(key) ?? household
      owners.set(key, owner)
      if (owner === household) continue
      const place = path.length === 0 ? ['organization'] : path
      yield {
        path: [...place, 'api_keys', index],
        message: 'the key belongs to another organization already',
      }
    }
  }
}

interface Household {
  readonly household: Pick<ScenarioOrganization, 'api_keys' | 'identities' | 'webhooks'>
  readonly path: ScenarioPath
}

function households({ scenario }: Story): Household[] {
  const { identities, webhooks, organization, organizations } = scenario
  return [
    { household: { api_keys: organization.api_keys, identities, webhooks }, path: [] },
    ...organizations.map((household, index) => ({ household, path: ['organizations', index] })),
  ]
}

function* takenNames({ identities }: Household['household'], path: ScenarioPath): Iterable<ProblemAt> {
  const handles = new Map<string, ScenarioPath>()
  const addresses = new Map<string, ScenarioPath>()
  for (const [index, identity] of identities.entries()) {
    const own = [...path, 'identities', index]
    const address = addressOf(identity)
    const byHandle = handles.get(identity.handle)
    const byAddress = addresses.get(address.toLowerCase())
    if (byHandle) {
      yield { path: [...own, 'handle'], message: taken('handle', identity.handle, byHandle) }
    } else if (byAddress) {
      yield { path: [...own, 'mailbox_address'], message: taken('address', address, byAddress) }
    }
    handles.set(identity.handle, byHandle ?? own)
    addresses.set(address.toLowerCase(), byAddress ?? own)
  }
}

function taken(what: string, name: string, by: ScenarioPath): string {
  return `the ${what} ${quoted(name)} is taken by another identity, ${keyOf(by)}`
}
