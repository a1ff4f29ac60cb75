import { type Feed, FeedReader, type Happening, type World } from '../world/index.js'

/**
 * Everything that happens in a world, in order: requests, changes, events and what becomes of their deliveries, what the
 * timeline brings, faults, readings, moves of the clock and resets. The latest 10,000 are kept until a reset; numbers that are left out were forgotten.
 * @example for await (const { type, data } of sim.events) console.log(type, data)
 */
export class Events implements AsyncIterable<Happening> {
  /** @internal */
  readonly feed: Feed

  constructor(world: World) {
    this.feed = world.feed
  }

  /** The number of the latest happening; 0 before the first. */
  get latest(): number {
    return this.feed.latest
  }

  /** What happened after the happening of that number. */
  after(seq: number): Happening[] {
    return this.feed.after(seq)
  }

  /**
   * Has somebody told of everything from now on, at once and in order; gives back how to have it end. What a
   * listener brings about itself it is told afterwards, and one that throws disturbs nobody.
   */
  subscribe(listener: (happening: Happening) => void): () => void {
    const reader = new FeedReader(this.feed, this.feed.latest)
    let telling = false
    return this.feed.subscribe(() => {
      if (telling) return
      telling = true
      try {
        tellAll(reader, listener)
      } finally {
        telling = false
      }
    })
  }

  /** What happens from now on, for as long as the world is there. */
  [Symbol.asyncIterator](): AsyncIterator<Happening, undefined> {
    return follow(this.feed)
  }
}

/** Tells a listener everything there is to read; the first error it throws is thrown when all is told. */
function tellAll(reader: FeedReader, listener: (happening: Happening) => void): void {
  const errors: unknown[] = []
  for (const happening of happeningsOf(reader)) {
    try {
      listener(happening)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

function* happeningsOf(reader: FeedReader): IterableIterator<Happening> {
  for (let next = reader.next(); next; next = reader.next()) if (next.type !== 'gap') yield next
}

function follow(feed: Feed): AsyncIterator<Happening, undefined> {
  const reader = new FeedReader(feed, feed.latest)
  const waiting = new Set<() => void>()
  let over = false
  const somethingHappens = (): Promise<void> => {
    return new Promise((resolve) => {
      const goOn = (): void => {
        stop()
        waiting.delete(goOn)
        resolve()
      }
      const stop = feed.subscribe(goOn)
      waiting.add(goOn)
    })
  }
  return {
    async next() {
      while (!over) {
        const [happening] = happeningsOf(reader)
        if (happening) return { value: happening, done: false }
        if (feed.closed) break
        await somethingHappens()
      }
      return { value: undefined, done: true }
    },
    async return() {
      over = true
      for (const goOn of waiting) goOn()
      return { value: undefined, done: true }
    },
  }
}
