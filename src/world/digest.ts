import { type MailboxStore, type ModelName, modelNames, type Rows } from '../model/index.js'
import { hashText, hexOf } from './random.js'
import { formatInstant } from './time.js'
import type { World } from './world.js'

/**
 * 32 hex digits over everything a world holds: its rows with their bodies, its time, its readings and what is
 * still to come of its story. Equal worlds have equal digests, on every machine.
 */
export function digestOf(world: World): string {
  const sum = new DigestSum()
  const { scenario, seed } = world.initialState
  sum.add({ scenario, seed, now: formatInstant(world.clock.now()), left: world.timeline.left })
  sum.add({ ...world.readings })
  for (const model of modelNames) {
    for (const row of world.store.all(model)) sum.add({ model, ...contentsOf(world.store, model, row) })
  }
  return sum.toString()
}

/** A row as it is read: a body that is made when it is read counts as what is read. */
function contentsOf<M extends ModelName>(store: MailboxStore, model: M, row: Rows[M]): object {
  if (model !== 'message') return row
  const message = row as Rows['message']
  const { text, html } = store.bodyOf(message)
  return { ...message, body_key: undefined, text, html }
}

/** Adds up hashes, so that the order in which things come does not count. */
class DigestSum {
  readonly #words = [0, 0, 0, 0]

  add(content: object): void {
    const hash = hashText(sortedFields(content))
    for (const [index, word] of hash.entries()) {
      this.#words[index] = ((this.#words[index] as number) + word) >>> 0
    }
  }

  toString(): string {
    return hexOf(this.#words)
  }
}

/** JSON of the fields in an order of their own, so that equal rows have equal texts however they were made. */
function sortedFields(content: object): string {
  return JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)))
}
