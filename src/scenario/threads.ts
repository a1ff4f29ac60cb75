import { formatMailbox } from '../mail/index.js'
import {
  factsMarked,
  factsOfEmptyThread,
  factsWithMessage,
  type IdentityRow,
  type ThreadFacts,
} from '../model/index.js'
import { createRandom } from '../world/index.js'
import { type Building, fill, idFor, type ScenarioPath } from './building.js'
import type { ScenarioThread } from './format/index.js'
import { type Conversation, messageOf, type NewMessage } from './messages.js'
import { nameParts } from './names.js'

/** Adds a written thread with its messages. */
export async function addThread(
  building: Building,
  identity: IdentityRow,
  thread: ScenarioThread,
  name: string,
  path: ScenarioPath,
): Promise<void> {
  const person = building.templates.person(createRandom(building.seed, `${name}/person`))
  const subject =
    thread.subject === undefined
      ? undefined
      : fill(building, thread.subject, `${name}/subject`, [...path, 'subject'])
  const conversation: Conversation = {
    identity,
    threadId: idFor(building, 'thread', name),
    outside: formatMailbox({ name: `${person.firstName} ${person.lastName}`, address: person.address }),
    subject,
  }
  const messages: NewMessage[] = []
  const named = nameParts(thread.messages, (message) => message.key ?? message.at ?? message.eml ?? 'message')
  for (const [index, [messageName, message]] of named.entries()) {
    const place = { name: `${name}/${messageName}`, path: [...path, 'messages', index] }
    messages.push(await messageOf(building, conversation, message, place, messages))
  }
  messages.sort((a, b) => a.created_at - b.created_at)
  for (const message of messages) building.builder.add('message', message)
  building.builder.add('thread', {
    id: conversation.threadId,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    subject: subject ?? messages[0]?.subject ?? '',
    ...factsOf(messages, thread.unread),
    created_at: messages[0]?.created_at ?? building.start,
  })
}

function factsOf(messages: readonly NewMessage[], unread: boolean | undefined): ThreadFacts {
  const empty = factsOfEmptyThread(messages[0]?.created_at ?? 0)
  const facts = messages.reduce(factsWithMessage, empty)
  return unread === undefined ? facts : factsMarked(facts, unread)
}
