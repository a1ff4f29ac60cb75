import { showEntry, type WorldEvent } from '../../service/world/entries.js'
import type { Log } from '../../service/world/log.js'
import type { World } from '../../service/world/world.js'

/** The most events that wait for somebody who iterates over them; beyond it, the oldest are dropped. */
const mostWaiting = 10_000

/**
 * Everything that happens in a world, in order: requests, changes, events and their deliveries, timeline
 * entries, faults, assumptions, clock changes and resets, each an entry of its log. The latest 10,000 requests and what happened
 * between them are retained until a reset. An attempt of a delivery is told again, under its number, when it has ended.
 * @example for await (const { type, data } of sim.events) console.log(type, data)
 */
export class Events implements AsyncIterable<WorldEvent> {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Its entries, unrendered. @internal */
  get log(): Log {
    return this.#world.log
  }

  /** The number of the latest event; 0 before the first. */
  get latest(): number {
    return this.log.latest
  }

  /** Returns the events after a number, as far as they are retained. */
  after(seq: number): WorldEvent[] {
    return this.#world.events(seq)
  }

  /**
   * Calls a listener with every event from now on, immediately and in order; returns a function that unsubscribes it.
   * Events that the listener causes follow the current one. An error that it throws has no other effect.
   */
  subscribe(listener: (event: WorldEvent) => void): () => void {
    const { id, masker } = this.#world
    return this.log.subscribe((entry) => {
      const event = entry && showEntry(entry, id, masker)
      if (event) listener(event)
    })
  }

  /** Iterates over the events from now on, until the world is closed. */
  [Symbol.asyncIterator](): AsyncIterator<WorldEvent, undefined> {
    const { id, masker, log } = this.#world
    const waiting: WorldEvent[] = []
    let isOver = log.ended
    let wake = (): void => undefined
    const unsubscribe = log.subscribe((entry) => {
      const event = entry && showEntry(entry, id, masker)
      if (event) waiting.push(event)
      if (waiting.length > mostWaiting) waiting.shift()
      isOver ||= entry === undefined
      wake()
    })
    const next = async (): Promise<IteratorResult<WorldEvent, undefined>> => {
      for (;;) {
        const value = waiting.shift()
        if (value) return { value, done: false }
        if (isOver) return { value: undefined, done: true }
        await new Promise<void>((resolve) => {
          const before = wake
          wake = () => {
            before()
            resolve()
          }
        })
      }
    }
    return {
      next,
      async return() {
        unsubscribe()
        isOver = true
        waiting.length = 0
        wake()
        return { value: undefined, done: true }
      },
    }
  }
}
