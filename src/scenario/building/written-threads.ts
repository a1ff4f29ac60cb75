import type { IdentityRow } from '../../model/index.js'

/** A thread that a scenario writes under a key, as other parts of the file speak of it. */
export interface WrittenThread {
  readonly id: string
  readonly identity: IdentityRow
  /** Who writes from outside: `Ann <ann@example.com>`. */
  readonly outside: string
  /** Ids of the messages that have a key. */
  readonly messages: ReadonlyMap<string, string>
}

/** The threads of a scenario by their keys. */
export class WrittenThreads {
  readonly #byKey = new Map<string, WrittenThread[]>()

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
}
