import { type Signal, signal } from '@preact/signals'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { WorldEvent } from '../service/world/entries.js'
import type { Exchange } from '../service/world/exchange.js'
import { liveSource, openEvents, selectedWorld } from './control-api.js'
import { type ClockInfo, type DataSource, type ExchangeLine, lineOf } from './data.js'

/** The most exchanges that are kept; the journal of a world keeps the same number. */
const lineLimit = 10_000

/** The source of the page's data. */
export const source = signal<DataSource>(liveSource)

/** The latest exchanges, oldest first. */
export const exchangeLines = signal<readonly ExchangeLine[]>([])

export const connection = signal<'connecting' | 'open' | 'lost'>('connecting')

export const clock = signal<ClockInfo | null>(null)

/** The most instants of story time that are kept. */
const instantLimit = 20_000

/** Records the wall time at which the page first saw each instant of story time. */
class WallTimes {
  /** Story time and wall time in milliseconds, in ascending order. */
  #seen: { readonly story: number; readonly wall: number }[] = []

  /** Records that the story has reached an instant now. */
  note(at: string): void {
    const story = Date.parse(at)
    const latest = this.#seen.at(-1)
    // Time went back because of a reset or another world: the earlier instants no longer apply.
    if (latest && story < latest.story) this.#seen = []
    if (latest?.story !== story) this.#seen.push({ story, wall: Date.now() })
    if (this.#seen.length > instantLimit) this.#seen.splice(0, instantLimit / 2)
  }

  /** Returns the wall time at which the story reached an instant, in milliseconds; undefined if the page was not open then. */
  of(at: string): number | undefined {
    const story = Date.parse(at)
    const [first] = this.#seen
    if (!first || story < first.story) return undefined
    return this.#seen.find((seen) => seen.story >= story)?.wall
  }
}

/** The wall time at which the story reached each instant. */
export const wallTimes = new WallTimes()

/** A part of a world that screens read again when it changes. */
export type WorldPart = 'mailbox' | 'deliveries' | 'story' | 'assumptions' | 'faults' | 'reliances'

/** The number of changes of each part so far. */
export const changes: Readonly<Record<WorldPart, Signal<number>>> = {
  mailbox: signal(0),
  deliveries: signal(0),
  story: signal(0),
  assumptions: signal(0),
  faults: signal(0),
  reliances: signal(0),
}

const partsChangedBy: Readonly<Partial<Record<WorldEvent['type'], readonly WorldPart[]>>> = {
  exchange: ['reliances', 'story'],
  command: ['mailbox', 'story'],
  event: ['deliveries', 'story'],
  delivery: ['deliveries', 'reliances'],
  timeline: ['story'],
  fault: ['faults'],
  assumptions: ['assumptions'],
  clock: ['story'],
}

/** Follows a world until the signal aborts; reconnects after the connection is lost. */
export async function followWorld(ended: AbortSignal): Promise<void> {
  const updates = new UpdateBatch()
  const ticking = setInterval(() => void readClock(), 1000)
  ended.addEventListener('abort', () => clearInterval(ticking))
  while (!ended.aborted) {
    try {
      const events = await openEvents(ended)
      connection.value = 'open'
      updates.reload()
      void readClock()
      const messages = events.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
      // A reader instead of `for await`: not every browser can iterate over streams.
      const reader = messages.getReader()
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        updates.add(JSON.parse(next.value.data) as WorldEvent)
      }
    } catch {
      // The banner shows that the connection is lost; the loop tries again.
    }
    if (ended.aborted) return
    connection.value = 'lost'
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

/** Batches the events that arrive and updates the page at most ten times a second. */
class UpdateBatch {
  #lines: ExchangeLine[] = []
  readonly #changed = new Set<WorldPart>()
  #timer: ReturnType<typeof setTimeout> | undefined

  add(event: WorldEvent): void {
    if (event.type === 'reset' || (event.type as string) === 'gap') {
      this.reload()
      return
    }
    if (event.type === 'exchange') {
      const exchange = event.data as Exchange
      wallTimes.note(exchange.at)
      this.#lines.push(lineOf(exchange))
    }
    if (event.type === 'clock') showClock(event.data as ClockInfo)
    for (const part of partsChangedBy[event.type] ?? []) this.#changed.add(part)
    this.#schedule()
  }

  /** Reads everything again: at the start, after a reset, and after missed events. */
  reload(): void {
    this.#lines = []
    for (const part of Object.keys(changes) as WorldPart[]) this.#changed.add(part)
    this.#schedule()
    const world = selectedWorld.value
    source.value.lines().then(
      (lines) => {
        if (selectedWorld.value === world) exchangeLines.value = lines
      },
      () => undefined,
    )
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#flush(), 100)
  }

  #flush(): void {
    this.#timer = undefined
    if (this.#lines.length > 0) {
      const latest = exchangeLines.value.at(-1)?.seq ?? 0
      const fresh = this.#lines.filter(({ seq }) => seq > latest)
      exchangeLines.value = [...exchangeLines.value, ...fresh].slice(-lineLimit)
      this.#lines = []
    }
    for (const part of this.#changed) changes[part].value++
    this.#changed.clear()
  }
}

async function readClock(): Promise<void> {
  try {
    const { now, clock: mode } = await source.value.world()
    showClock({ now, mode })
  } catch {
    // `connection` already shows what is wrong.
  }
}

function showClock(info: ClockInfo): void {
  wallTimes.note(info.now)
  clock.value = info
}
