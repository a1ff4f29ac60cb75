import { type EventFeed, EventFeedReader, type WorldEvent } from '../../service/record/event-feed.js'
import type { World } from '../../service/world/world.js'

/**
 * Everything that happens in a world, in order: requests, changes, events and their deliveries, timeline
 * entries, faults, assumptions, clock changes and resets. The latest 10,000 are retained until a reset; missing
 * numbers belong to dropped events.
 * @example for await (const { type, data } of sim.events) console.log(type, data)
 */
export class Events implements AsyncIterable<WorldEvent> {
  /** @internal */
  readonly feed: EventFeed

  constructor(world: World) {
    this.feed = world.feed
  }

  /** The number of the latest event; 0 before the first. */
  get latest(): number {
    return this.feed.latest
  }

  /** Returns the events after a number, as far as they are retained. */
  after(seq: number): WorldEvent[] {
    return this.feed.after(seq)
  }

  /**
   * Calls a listener with every event from now on, immediately and in order; returns a function that unsubscribes it.
   * Events that the listener causes follow the current one. An error that it throws has no other effect.
   */
  subscribe(listener: (event: WorldEvent) => void): () => void {
    const reader = new EventFeedReader(this.feed, this.feed.latest)
    let notifying = false
    return this.feed.subscribe(() => {
      if (notifying) return
      notifying = true
      try {
        notifyOfAll(reader, listener)
      } finally {
        notifying = false
      }
    })
  }

  /** Iterates over the events from now on, until the world is closed. */
  [Symbol.asyncIterator](): AsyncIterator<WorldEvent, undefined> {
    return follow(this.feed)
  }
}

/** Calls a listener with every unread event; throws its first error after the last event. */
function notifyOfAll(reader: EventFeedReader, listener: (event: WorldEvent) => void): void {
  const errors: unknown[] = []
  for (const event of eventsOf(reader)) {
    try {
      listener(event)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

function* eventsOf(reader: EventFeedReader): IterableIterator<WorldEvent> {
  for (let next = reader.next(); next; next = reader.next()) if (next.type !== 'gap') yield next
}

function follow(feed: EventFeed): AsyncIterator<WorldEvent, undefined> {
  const reader = new EventFeedReader(feed, feed.latest)
  const waiting = new Set<() => void>()
  let done = false
  const nextEvent = (): Promise<void> => {
    return new Promise((resolve) => {
      const resume = (): void => {
        unsubscribe()
        waiting.delete(resume)
        resolve()
      }
      const unsubscribe = feed.subscribe(resume)
      waiting.add(resume)
    })
  }
  return {
    async next() {
      while (!done) {
        const [event] = eventsOf(reader)
        if (event) return { value: event, done: false }
        if (feed.closed) break
        await nextEvent()
      }
      return { value: undefined, done: true }
    },
    async return() {
      done = true
      for (const resume of waiting) resume()
      return { value: undefined, done: true }
    },
  }
}
