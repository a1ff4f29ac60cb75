import { type CommandOf, type Fault, type TimelineEntry, whyNeverHit } from '../../world/index.js'
import { fill, type ScenarioPath } from '../building/building.js'
import type { ScenarioTimelineEntry } from '../format/index.js'
import type { Cast } from './cast.js'
import { prepareOutcome } from './outcome.js'
import { prepareReceive } from './receive.js'
import { prepareSend } from './send.js'

/** What one happening of an entry does; values hang on the name it is given. `turn` counts its repetitions from 0. */
export type Perform = (name: string, turn: number) => Omit<TimelineEntry, 'name' | 'after'>

/** What comes of an entry in which a problem was found. */
const nothing: Perform = () => ({ commands: [] })

/** Looks up what an entry speaks of, and reads its files, once for all its repetitions. */
export async function prepareAction(
  cast: Cast,
  entry: ScenarioTimelineEntry,
  path: ScenarioPath,
): Promise<Perform> {
  if (entry.receive) return prepareReceive(cast, entry.receive, [...path, 'receive'])
  if (entry.send) return prepareSend(cast, entry.send, [...path, 'send'])
  if (entry.read) return prepareMark(cast, entry.read, false, [...path, 'read'])
  if (entry.unread) return prepareMark(cast, entry.unread, true, [...path, 'unread'])
  if (entry.update) return prepareUpdate(cast, entry.update, [...path, 'update'])
  if (entry.deliver) return prepareOutcome(cast, 'deliver-message', entry.deliver, [...path, 'deliver'])
  if (entry.bounce) return prepareOutcome(cast, 'bounce-message', entry.bounce, [...path, 'bounce'])
  const { readings, fault } = entry
  if (readings) return () => ({ commands: [], readings })
  if (fault) return prepareFault(cast, fault, [...path, 'fault'])
  if (entry.clear_faults) return () => ({ commands: [], fault: 'clear' })
  return nothing
}

type Action<Name extends keyof ScenarioTimelineEntry> = NonNullable<ScenarioTimelineEntry[Name]>

function prepareFault(cast: Cast, fault: Fault, path: ScenarioPath): Perform {
  const never = whyNeverHit(fault, cast.handles)
  if (never !== undefined) cast.building.problem(path, `this fault can never hit: ${never}`)
  return () => ({ commands: [], fault })
}

function prepareMark(
  cast: Cast,
  { thread, identity }: Action<'read'>,
  unread: boolean,
  path: ScenarioPath,
): Perform {
  const owner = identity === undefined ? undefined : cast.existingAgent(identity, [...path, 'identity'])
  if (identity !== undefined && !owner) return nothing
  const found = cast.thread(thread, owner, [...path, 'thread'])
  if (!found) return nothing
  return () => ({ commands: [{ type: 'set-thread-unread', thread_id: found.id, unread }] })
}

function prepareUpdate(cast: Cast, update: Action<'update'>, path: ScenarioPath): Perform {
  const identity = cast.existingAgent(update.identity, [...path, 'identity'])
  if (!identity) return nothing
  const building = cast.inLocaleOf(identity)
  return (name) => {
    const command: CommandOf<'update-identity'> = { type: 'update-identity', identity_id: identity.id }
    for (const field of ['display_name', 'description'] as const) {
      const template = update[field]
      if (template === undefined) continue
      command[field] = fill(building, template, `${name}/${field}`, [...path, field])
    }
    return { commands: [command] }
  }
}
