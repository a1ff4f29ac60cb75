import { formatMailbox, parseMailboxList } from '../../mail/index.js'
import type { IdentityRow } from '../../model/index.js'
import type { CommandOf } from '../../world/index.js'
import { fill, idFor, type ScenarioPath } from '../building/building.js'
import type { WrittenThread } from '../building/written-threads.js'
import type { ScenarioTimelineEntry } from '../format/index.js'
import type { Perform } from './actions.js'
import type { Cast } from './cast.js'
import { addressesIn, type Enclosed, mailFields, readEnclosed } from './mail.js'

type Receive = NonNullable<ScenarioTimelineEntry['receive']>

/** One mailbox the mail comes into, and the thread it joins there, where the entry names one. */
interface Destination {
  readonly identity: IdentityRow
  readonly thread: WrittenThread | undefined
}

/** Mail comes in: each agent it is addressed to gets a message of its own. */
export async function prepareReceive(cast: Cast, receive: Receive, path: ScenarioPath): Promise<Perform> {
  const enclosed = await readEnclosed(cast.building, receive, path)
  const { agents, to } = recipientsOf(cast, receive, enclosed, path)
  const destinations = agents.map((identity) => {
    const { thread: key } = receive
    const thread = key === undefined ? undefined : cast.thread(key, identity, [...path, 'thread'])
    return { identity, thread }
  })
  return (name) => ({
    commands: destinations.map((destination) => {
      const own = destinations.length > 1 ? `${name}/${destination.identity.agent_handle}` : name
      return commandFor(cast, receive, { destination, enclosed, to, name, own, path })
    }),
  })
}

interface Receipt {
  readonly destination: Destination
  readonly enclosed: Enclosed
  readonly to: readonly string[]
  /** What the words hang on: the same for everybody who gets them. */
  readonly name: string
  /** What the ids hang on: each message has its own. */
  readonly own: string
  readonly path: ScenarioPath
}

function commandFor(cast: Cast, receive: Receive, receipt: Receipt): CommandOf<'receive-message'> {
  const { destination, enclosed, to, name, own, path } = receipt
  const { identity, thread } = destination
  const building = cast.inLocaleOf(identity)
  return {
    type: 'receive-message',
    identity_id: identity.id,
    from: senderOf(cast, receive, receipt),
    to: [...to],
    ...mailFields(building, receive, enclosed, { name, path }),
    ...(thread && { thread_id: thread.id }),
    ids: {
      message: idFor(building, 'message', own),
      thread: thread?.id ?? idFor(building, 'thread', own),
    },
  }
}

/** Who the mail is from: whom the entry names, or its .eml file, else whoever writes in that thread. */
function senderOf(
  cast: Cast,
  receive: Receive,
  { destination: { identity, thread }, enclosed, name, path }: Receipt,
): string {
  const { from } = receive
  if (from === undefined) {
    if (enclosed.eml) return formatMailbox(enclosed.eml.from)
    return thread?.outside() ?? cast.somebody(identity, name)
  }
  const place = [...path, 'from']
  const written = fill(cast.inLocaleOf(identity), from, `${name}/from`, place)
  const [mailbox] = parseMailboxList(written)
  if (mailbox) return formatMailbox(mailbox)
  cast.building.problem(place, `"${written}" is not of the form "Ann <ann@example.com>"`)
  return written
}

/** Whom the mail is addressed to: by the entry, else by its .eml file, else the owner of the thread. */
function recipientsOf(
  cast: Cast,
  { to, thread }: Receive,
  { eml }: Enclosed,
  path: ScenarioPath,
): { agents: IdentityRow[]; to: string[] } {
  const names = to === undefined ? (eml?.to.map(({ address }) => address) ?? []) : [to].flat()
  const agents = [...new Set(names.flatMap((name) => cast.agent(name) ?? []))]
  if (agents.length > 0)
    return { agents, to: names.flatMap((name) => addressOf(cast, name, [...path, 'to'])) }
  if (to !== undefined) {
    for (const name of names) cast.existingAgent(name, [...path, 'to'])
    return { agents: [], to: [] }
  }
  const owner =
    thread === undefined ? cast.onlyAgent() : cast.thread(thread, undefined, [...path, 'thread'])?.identity
  if (owner) return { agents: [owner], to: [owner.mailbox_address] }
  if (thread === undefined) cast.building.problem(path, 'to: is missing; expected the handle of an agent')
  return { agents: [], to: [] }
}

function addressOf(cast: Cast, name: string, path: ScenarioPath): string[] {
  const agent = cast.agent(name)
  if (agent) return [agent.mailbox_address]
  if (name.lastIndexOf('@') > 0) return addressesIn(cast.building, name, path)
  cast.existingAgent(name, path)
  return []
}
