import type { IdentityRow } from '../../model/index.js'
import type { AddressedMail } from '../../world/index.js'

/** A thread that a scenario writes under a key, as other parts of the file speak of it. */
export interface WrittenThread {
  readonly id: string
  readonly identity: IdentityRow
  /** Who writes from outside: `Ann <ann@example.com>`. */
  readonly outside: () => string
  /** The name of the stream its subject is filled from. */
  readonly subjectFrom: string
}

/** A message that goes by a key: a written one, or one that mail of the timeline brings. */
export interface WrittenMessage {
  readonly key: string
  readonly id: string
  readonly identity: IdentityRow
  /** The key of its thread, where that has one. */
  readonly thread: string | undefined
  /** What the names of the streams begin with that its fields are filled from. */
  readonly name: string
  /** The name of the stream its subject is filled from: its own, or that of its thread. */
  readonly subjectFrom: string
  /** Whom it goes to, where an agent sends it. */
  readonly sent: AddressedMail | undefined
}

/** The threads of a scenario, and its messages, by their keys. */
export class WrittenThreads {
  readonly #byKey = new Map<string, WrittenThread[]>()
  readonly #messages: WrittenMessage[] = []

  /** Notes a thread under its key. */
  add(key: string, thread: WrittenThread): void {
    this.#byKey.set(key, [...this.all(key), thread])
  }

  /** Every thread of that key: one for each mailbox that has it. */
  all(key: string): readonly WrittenThread[] {
    return this.#byKey.get(key) ?? []
  }

  /** The thread of that key in the mailbox of an identity. */
  of(identityId: string, key: string): WrittenThread | undefined {
    return this.all(key).find(({ identity }) => identity.id === identityId)
  }

  /** Notes a message under its key. */
  addMessage(message: WrittenMessage): void {
    this.#messages.push(message)
  }

  /** Every message of that key. */
  messages(key: string): readonly WrittenMessage[] {
    return this.#messages.filter((message) => message.key === key)
  }
}
