import {
  factsMarked,
  factsOfEmptyThread,
  factsWithMessage,
  type IdentityRow,
  type ThreadFacts,
} from '../../model/index.js'
import type { Building } from './building.js'
import type { NewMessage } from './messages.js'

/** A thread that is about to be added. */
export interface NewThread {
  readonly id: string
  readonly identity: IdentityRow
  /** That of the first message otherwise. */
  readonly subject?: string | undefined
  /** Whether it is unread, where that is said. */
  readonly unread?: boolean | undefined
  /** Ids of messages that were read when they were filed. */
  readonly seen: ReadonlySet<string>
}

/** Adds a thread and its messages, which come the oldest first. */
export function addThreadRows(
  building: Building,
  { id, identity, subject, unread, seen }: NewThread,
  messages: readonly NewMessage[],
): void {
  const createdAt = messages[0]?.created_at ?? building.start
  const facts = messages.reduce<ThreadFacts>((before, message) => {
    const after = factsWithMessage(before, message)
    return seen.has(message.id) && message.direction === 'inbound' ? factsMarked(after, before.unread) : after
  }, factsOfEmptyThread(createdAt))
  for (const message of messages) building.builder.add('message', message)
  building.builder.add('thread', {
    id,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    subject: subject ?? messages[0]?.subject ?? '',
    ...(unread === undefined ? facts : factsMarked(facts, unread)),
    created_at: createdAt,
  })
}
