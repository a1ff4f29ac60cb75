import type { TimelineEntry } from '../../world/index.js'
import type { ScenarioTimelineEntry } from '../format/index.js'
import type { Cast } from './cast.js'

/**
 * Notes under which key the mail of an entry is spoken of, its own or else that of the entry: one message in each
 * mailbox that it reaches.
 */
export function noteMessages(
  cast: Cast,
  { key: keyOfEntry, receive, send }: ScenarioTimelineEntry,
  { name, commands }: TimelineEntry,
): void {
  const mail = receive ?? send
  const key = mail?.key ?? keyOfEntry
  if (!mail || key === undefined) return
  const { thread, subject } = mail
  for (const command of commands) {
    if (command.type !== 'receive-message' && command.type !== 'send-message') continue
    const identity = cast.agentOfId(command.identity_id)
    if (!identity || !command.ids) continue
    const own = `timeline/${name}`
    const joined = thread === undefined ? undefined : cast.threads(thread, identity)[0]
    const subjectFrom = subject === undefined ? joined?.subjectFrom : undefined
    cast.building.written.addMessage({
      key,
      id: command.ids.message,
      identity,
      thread,
      name: own,
      subjectFrom: subjectFrom ?? `${own}/subject`,
      sent:
        command.type === 'send-message' ? { to: command.to, headers: command.headers ?? null } : undefined,
    })
  }
}
