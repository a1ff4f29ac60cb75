import { once } from '../../contract/once.js'
import type { IdentityRow } from '../../model/index.js'
import type { ScenarioMessage, ScenarioThread } from '../format/index.js'
import { type FiledMessage, messagesOfFolder } from '../maildir/maildir.js'
import { type Building, fill, idFor, type ScenarioPath, somebody } from './building.js'
import { type Conversation, messageOf, type NewMessage, type Place } from './messages.js'
import { nameParts } from './names.js'
import { addThreadRows } from './thread-rows.js'

/** Adds a written thread with its messages. */
export async function addThread(
  building: Building,
  identity: IdentityRow,
  thread: ScenarioThread,
  name: string,
  path: ScenarioPath,
): Promise<void> {
  const subject =
    thread.subject === undefined
      ? undefined
      : fill(building, thread.subject, `${name}/subject`, [...path, 'subject'])
  const conversation: Conversation = {
    identity,
    threadId: idFor(building, 'thread', name),
    outside: once(() => somebody(building, name)),
    subject,
  }
  const messages: NewMessage[] = []
  const seen = new Set<string>()
  const named = nameParts(thread.messages, nameOfMessage)
  for (const [index, [messageName, message]] of named.entries()) {
    const place = { name: `${name}/${messageName}`, path: [...path, 'messages', index] }
    for (const added of await messagesOf(building, conversation, message, place, messages)) {
      messages.push(added.message)
      if (added.seen) seen.add(added.message.id)
    }
  }
  const names = named.map(([messageName]) => `${name}/${messageName}`)
  noteKeys(building, conversation, thread, messages, { name, names })
  messages.sort((a, b) => a.created_at - b.created_at)
  addThreadRows(
    building,
    { id: conversation.threadId, identity, subject, unread: thread.unread, seen },
    messages,
  )
}

function nameOfMessage({ key, at, eml, maildir }: ScenarioMessage): string {
  return key ?? at ?? eml ?? (maildir === undefined ? 'message' : 'maildir')
}

/** The message that is written, or those of a folder. */
async function messagesOf(
  building: Building,
  conversation: Conversation,
  message: ScenarioMessage,
  place: Place,
  earlier: readonly NewMessage[],
): Promise<readonly FiledMessage[]> {
  const { maildir } = message
  if (maildir !== undefined) {
    return messagesOfFolder(building, conversation, { ...message, maildir }, place, earlier)
  }
  return [{ message: await messageOf(building, conversation, message, place, earlier), seen: false }]
}

/** Notes under which keys the thread and its messages are spoken of; `names` is what their values hang on. */
function noteKeys(
  building: Building,
  { threadId, identity, outside }: Conversation,
  thread: ScenarioThread,
  messages: readonly NewMessage[],
  { name, names }: { readonly name: string; readonly names: readonly string[] },
): void {
  const subjectOf = (index: number): string => {
    return `${thread.messages[index]?.subject === undefined ? name : names[index]}/subject`
  }
  for (const [index, { key }] of thread.messages.entries()) {
    if (key === undefined) continue
    const own = names[index] as string
    const id = idFor(building, 'message', own)
    const subjectFrom = subjectOf(index)
    const sent = messages.find((message) => message.id === id && message.direction === 'outbound')
    building.written.addMessage({ key, id, identity, thread: thread.key, name: own, subjectFrom, sent })
  }
  if (thread.key === undefined) return
  const asked = messages.findLast(({ direction }) => direction === 'inbound')
  building.written.add(thread.key, {
    id: threadId,
    identity,
    outside: asked ? () => asked.from : outside,
    subjectFrom: thread.subject === undefined ? subjectOf(0) : `${name}/subject`,
  })
}
