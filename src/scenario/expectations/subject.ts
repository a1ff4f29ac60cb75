import { formatMailbox, parseMailboxList } from '../../mail/index.js'
import type { IdentityRow } from '../../model/index.js'
import type { ExpectedValue, StateExpectation } from '../../world/index.js'
import { fill, type ScenarioPath } from '../building/building.js'
import type { WrittenMessage } from '../building/written-threads.js'
import type { ScenarioExpectation } from '../format/index.js'
import type { Cast, MessageWanted } from '../timeline/cast.js'
import { wantedOf } from './condition.js'

/** Something whose state is expected. */
type Subject = Pick<StateExpectation, 'kind' | 'id' | 'name' | 'has'>

/** A resource of the story. */
interface Found extends Omit<Subject, 'has'> {
  readonly owner: IdentityRow
  /** The name of the stream the templates in a field were filled from; undefined where there were none. */
  sourceOf(field: string): string | undefined
}

/** The agent, thread or message whose state is expected; undefined where it is about something else. */
export function subjectOf(
  cast: Cast,
  expectation: ScenarioExpectation,
  path: ScenarioPath,
): Subject | 'unknown' | undefined {
  const { identity, thread, message } = expectation
  if ((identity ?? thread ?? message) === undefined) return undefined
  const owner = identity === undefined ? undefined : cast.existingAgent(identity, [...path, 'identity'])
  if (identity !== undefined && !owner) return 'unknown'
  const found = findSubject(cast, expectation, owner, path)
  if (!found) return 'unknown'
  const { kind, id, name } = found
  const has = Object.entries(expectation.has ?? {}).map(([field, value]) => {
    return [field, fieldOf(cast, found, field, value, [...path, 'has', field])] as const
  })
  return { kind, id, name, has: Object.fromEntries(has) }
}

function findSubject(
  cast: Cast,
  { thread, message }: ScenarioExpectation,
  owner: IdentityRow | undefined,
  path: ScenarioPath,
): Found | undefined {
  if (message !== undefined) return findMessage(cast, { key: message, thread, owner }, path)
  if (thread !== undefined) return findThread(cast, thread, owner, path)
  return owner && agent(owner)
}

function agent(owner: IdentityRow): Found {
  const { id, organization_id, agent_handle } = owner
  const name = `${organization_id}/identities/${agent_handle}`
  const written = ['display_name', 'description']
  return {
    kind: 'identity',
    id,
    name: `identity ${agent_handle}`,
    owner,
    sourceOf: (field) => (written.includes(field) ? `${name}/${field}` : undefined),
  }
}

function findThread(
  cast: Cast,
  key: string,
  owner: IdentityRow | undefined,
  path: ScenarioPath,
): Found | undefined {
  const thread = cast.thread(key, owner, [...path, 'thread'])
  if (!thread) return undefined
  const { id, identity, subjectFrom } = thread
  return {
    kind: 'thread',
    id,
    name: `thread "${key}" of ${identity.agent_handle}`,
    owner: identity,
    sourceOf: (field) => (field === 'subject' ? subjectFrom : undefined),
  }
}

function findMessage(cast: Cast, wanted: MessageWanted, path: ScenarioPath): Found | undefined {
  const message = cast.message(wanted, [...path, 'message'])
  if (!message) return undefined
  const { key, id, identity } = message
  return {
    kind: 'message',
    id,
    name: `message "${key}" of ${identity.agent_handle}`,
    owner: identity,
    sourceOf: (field) => sourceInMessage(message, field),
  }
}

function sourceInMessage({ name, subjectFrom }: WrittenMessage, field: string): string | undefined {
  if (field === 'subject') return subjectFrom
  // Of several recipients, one has to fit: the first.
  if (field === 'to') return `${name}/to/0`
  return ['from', 'text', 'html'].includes(field) ? `${name}/${field}` : undefined
}

type Field = NonNullable<ScenarioExpectation['has']>[string]

/** A field as it has to be, templates filled in with the values that the story has there. */
function fieldOf(cast: Cast, found: Found, field: string, value: Field, path: ScenarioPath): ExpectedValue {
  const filled = (template: string, at: ScenarioPath): string => {
    if (!template.includes('{{')) return template
    const source = found.sourceOf(field)
    if (source !== undefined) return fill(cast.inLocaleOf(found.owner), template, source, at)
    cast.building.problem(at, `no template is filled in here: "${field}" follows from the rest of the story`)
    return template
  }
  if (typeof value === 'string') {
    const text = filled(value, path)
    return field === 'from' ? asSender(text) : text
  }
  if (typeof value !== 'object' || value === null || value.contains === undefined) return wantedOf(value)
  return wantedOf({ ...value, contains: filled(value.contains, [...path, 'contains']) })
}

/** A sender as messages show one. */
function asSender(text: string): string {
  const [mailbox] = parseMailboxList(text)
  return mailbox ? formatMailbox(mailbox) : text
}
