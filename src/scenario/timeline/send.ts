import { parseMailboxList } from '../../mail/index.js'
import type { IdentityRow } from '../../model/index.js'
import { fill, idFor, type ScenarioPath } from '../building/building.js'
import type { WrittenThread } from '../building/written-threads.js'
import type { ScenarioTimelineEntry } from '../format/index.js'
import type { Perform } from './actions.js'
import type { Cast } from './cast.js'
import { addressesIn, mailFields, readEnclosed } from './mail.js'

type Send = NonNullable<ScenarioTimelineEntry['send']>

/** An agent's mailbox sends mail. */
export async function prepareSend(cast: Cast, send: Send, path: ScenarioPath): Promise<Perform> {
  const { building } = cast
  const enclosed = await readEnclosed(building, send, path)
  const agent = send.from === undefined ? undefined : cast.existingAgent(send.from, [...path, 'from'])
  const nobody = send.from !== undefined && !agent
  const key = nobody ? undefined : send.thread
  const thread = key === undefined ? undefined : cast.thread(key, agent, [...path, 'thread'])
  const identity = agent ?? thread?.identity ?? (nobody || key !== undefined ? undefined : cast.onlyAgent())
  if (!identity) {
    if (send.from === undefined && key === undefined)
      building.problem(path, 'from: is missing; expected the handle of an agent')
    return () => ({ commands: [] })
  }
  return (name) => ({
    commands: [
      {
        type: 'send-message',
        identity_id: identity.id,
        to: recipientsOf(cast, send, { identity, thread, name, path }),
        ...mailFields(cast.inLocaleOf(identity), send, enclosed, { name, path }),
        ...(thread && { thread_id: thread.id }),
        ids: {
          message: idFor(building, 'message', name),
          thread: thread?.id ?? idFor(building, 'thread', name),
        },
      },
    ],
  })
}

interface Dispatch {
  readonly identity: IdentityRow
  readonly thread: WrittenThread | undefined
  readonly name: string
  readonly path: ScenarioPath
}

function recipientsOf(cast: Cast, { to }: Send, { identity, thread, name, path }: Dispatch): string[] {
  if (to === undefined) {
    const outside = thread?.outside() ?? cast.somebody(identity, name)
    return parseMailboxList(outside).map(({ address }) => address)
  }
  return [to].flat().flatMap((recipient, index) => {
    const filled = fill(cast.inLocaleOf(identity), recipient, `${name}/to/${index}`, [...path, 'to'])
    return cast.agent(filled)?.mailbox_address ?? addressesIn(cast.building, filled, [...path, 'to'])
  })
}
