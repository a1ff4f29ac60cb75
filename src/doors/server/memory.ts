import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { stopwatch, Timers } from '../../service/time/wall-time.js'

/** The bytes of large objects, such as stored files, below which memory is left to the engine. */
const minLarge = 64 * 1024 * 1024

/** The bytes of all other objects from which a collection is worth it, and from which it would take too long. */
const [minSmall, maxSmall] = [64 * 1024 * 1024, 256 * 1024 * 1024]

/** By how much large objects may have grown since the last collection, or else since the start. */
const maxGrowth = 1.25

/** How much longer than a collection the time until the next one is. */
const rest = 20

/** Milliseconds until nothing refers any more to a world that was dropped, such as the ends of its deliveries. */
const settling = 1_000

/** How many bytes the whole heap may have grown besides, before it is looked at in a quiet second. */
const minGrowth = 32 * 1024 * 1024

/** The number of requests up to which a second is quiet: a client that polls must not keep a server from it. */
const fewRequests = 100

/**
 * Gives memory back that large objects, or bursts of requests, no longer need. The engine waits until all memory in use has about doubled, though
 * objects that are few and large, as in worlds with stored files, are quickly collected.
 */
export class LargeObjects {
  /** The bytes of those that were not garbage, or that others had before. */
  #kept = usedBytes().large
  #collect: (() => void) | undefined
  #resting = false
  #due = false
  /** Whether hardly anything is left, so that the empty pages are worth a second look. */
  #wholly = false

  /**
   * Collects those that are garbage if it is worth it; `dropped` tells that much may be, even if there are not more than before,
   * and `isLast` whether hardly anything is left, so that it is quick to look at all of it.
   */
  release(dropped = false, isLast: () => boolean = () => false): void {
    const { large, small } = usedBytes()
    if (dropped && small > minSmall && isLast()) this.#wholly = true
    else if (large < minLarge || small > maxSmall) return
    this.#due ||= dropped || large > this.#kept * maxGrowth
    if (this.#due && !this.#resting) void this.#release()
  }

  /**
   * Gives back what bursts of requests took, whether many or large ones, when each is over: after a `pause` in milliseconds with few
   * requests. `begun` returns how many there were so far.
   */
  async releaseAfterBursts(begun: () => number, closed: AbortSignal, pause = 1_000): Promise<void> {
    const timers = new Timers()
    let latest = begun()
    let kept = heldBytes()
    while (!closed.aborted) {
      await timers.wait(pause, closed, true)
      const count = begun() - latest
      latest += count
      const held = heldBytes()
      const isDue = count <= fewRequests && held > kept * maxGrowth + minGrowth
      if (!isDue || usedBytes().small > maxSmall) continue
      this.#collectNow(true)
      // Empty pages are given back bit by bit.
      if (heldBytes() > 0.9 * held) kept = heldBytes()
    }
  }

  async #release(): Promise<void> {
    this.#resting = true
    while (this.#due) {
      this.#due = false
      // What was dropped still has ends to tie up.
      if (this.#wholly) await new Timers().wait(settling, undefined, true)
      const elapsed = stopwatch()
      this.#collectNow(this.#wholly)
      this.#wholly = false
      await new Timers().wait(elapsed() * rest, undefined, true)
    }
    this.#resting = false
  }

  #collectNow(twice: boolean): void {
    this.#collect ??= createCollector()
    this.#collect()
    // The engine keeps the pages that became empty until it looks once more.
    if (twice) this.#collect()
    this.#kept = usedBytes().large
  }
}

function usedBytes(): { readonly large: number; readonly small: number } {
  const spaces = getHeapSpaceStatistics()
  const used = (name: string) => spaces.find(({ space_name }) => space_name === name)?.space_used_size ?? 0
  return { large: used('large_object_space'), small: used('old_space') }
}

/** Returns how much memory the engine's heap takes, used or not. */
function heldBytes(): number {
  return getHeapStatistics().total_physical_size
}

/** Returns the engine's function that collects garbage, which it offers to new contexts only while this flag is set. */
function createCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  return collect
}
