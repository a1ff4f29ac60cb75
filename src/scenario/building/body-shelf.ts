import type { Body, BodySource } from '../../model/index.js'

/** Tells the words of a message of one mailbox, named by their numbers. */
export type Teller = (thread: number, message: number) => Body

/** Where generated bodies are made again when somebody reads them. */
export class BodyShelf {
  readonly #tellers: Teller[] = []

  /** Adds who tells the bodies of one mailbox; gives back the first part of its body keys. */
  add(teller: Teller): string {
    return String(this.#tellers.push(teller) - 1)
  }

  /** Reads a body by its key. */
  readonly source: BodySource = (bodyKey) => {
    const [teller, thread, message] = bodyKey.split(':').map(Number) as [number, number, number]
    const tell = this.#tellers[teller]
    if (!tell) throw new Error(`No generated mailbox has the body "${bodyKey}".`)
    return tell(thread, message)
  }
}
