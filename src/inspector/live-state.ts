import { signal } from '@preact/signals'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { liveSource, openEvents } from './control-api.js'
import type { ClockInfo, DataSource, ExchangeLine } from './data.js'

/** The source of the page's data. */
export const source = signal<DataSource>(liveSource)

/** The number of times that the world was seen to have changed; what is shown is then read again. */
export const version = signal(0)

/** The latest exchanges, oldest first. */
export const exchangeLines = signal<readonly ExchangeLine[]>([])

/** The most exchanges that are kept; the journal of a world keeps the same number. */
const lineLimit = 10_000

export const connection = signal<'connecting' | 'open' | 'lost'>('connecting')

export const clock = signal<ClockInfo | null>(null)

/** The pause between two refreshes, in milliseconds. */
const refreshPause = 300

/** Follows a world until the signal aborts; reconnects after the connection is lost. */
export async function followWorld(ended: AbortSignal): Promise<void> {
  let isDue = false
  let reading = Promise.resolve()
  const refresh = (): void => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      version.value++
      // One after the other, since each reads what comes after the lines of the last.
      reading = reading.then(() => readLines(ended))
    }, refreshPause)
  }
  const ticking = setInterval(() => void readClock(), 1000)
  ended.addEventListener('abort', () => clearInterval(ticking))
  exchangeLines.value = []
  while (!ended.aborted) {
    try {
      const events = await openEvents(ended)
      connection.value = 'open'
      refresh()
      void readClock()
      const messages = events.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
      // A reader instead of `for await`: not every browser can iterate over streams.
      const reader = messages.getReader()
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const { event } = next.value
        if (event === 'reset' || event === 'gap') exchangeLines.value = []
        if (event === 'clock') void readClock()
        refresh()
      }
    } catch {
      // The banner shows that the connection is lost; the loop tries again.
    }
    if (ended.aborted) return
    connection.value = 'lost'
    exchangeLines.value = []
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

/** Reads the exchanges after those that are known. */
async function readLines(ended: AbortSignal): Promise<void> {
  const known = exchangeLines.value
  const later = await source.value.lines(known.at(-1)?.seq ?? 0).catch(() => [])
  if (ended.aborted || exchangeLines.value !== known || later.length === 0) return
  exchangeLines.value = [...known, ...later].slice(-lineLimit)
}

async function readClock(): Promise<void> {
  try {
    const { now, clock: mode } = await source.value.world()
    clock.value = { now, mode }
  } catch {
    // `connection` already shows what is wrong.
  }
}
