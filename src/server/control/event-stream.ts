import type { ServerResponse } from 'node:http'
import {
  breathe,
  type Feed,
  type FeedGap,
  type FeedReader,
  type Happening,
  type Pause,
  startPause,
} from '../../world/index.js'

/** Milliseconds of silence after which a sign of life is sent. */
const heartbeat = 15_000

/** Milliseconds after which a client that lost its connection comes back. */
const retry = 1000

/**
 * Writes what a feed tells to one client as Server-Sent Events, as fast as the client takes it: what is not yet
 * written is left in the feed, and what the feed has forgotten by then is told as a gap.
 */
export class EventStream {
  readonly #response: ServerResponse
  readonly #feed: Feed
  readonly #reader: FeedReader
  #full = false
  #waking = false
  #over = false
  #pause: Pause | undefined

  constructor(response: ServerResponse, feed: Feed, reader: FeedReader) {
    this.#response = response
    this.#feed = feed
    this.#reader = reader
  }

  /** Writes for as long as the client stays and the world is there. */
  run(): Promise<void> {
    const response = this.#response
    return new Promise((resolve, reject) => {
      const wake = (forgetting: boolean): void => {
        if (forgetting) this.#write()
        else this.#wake().catch(reject)
      }
      const stop = this.#feed.subscribe(wake)
      response.on('drain', () => {
        this.#full = false
        wake(false)
      })
      response.once('close', () => {
        stop()
        this.#over = true
        this.#pause?.end()
        resolve()
      })
      this.#send(`retry: ${retry}\n\n`)
      this.#write()
      void this.#beat()
    })
  }

  /** Writes after whatever is being done now, the answer to a request above all. */
  async #wake(): Promise<void> {
    if (this.#waking) return
    this.#waking = true
    await breathe()
    this.#waking = false
    this.#write()
  }

  #write(): void {
    while (!this.#full && !this.#over) {
      const next = this.#reader.next()
      if (next) {
        this.#send(formatEvent(next))
        continue
      }
      if (this.#feed.closed) this.#response.end()
      return
    }
  }

  #send(text: string): void {
    if (!this.#response.write(text)) this.#full = true
  }

  async #beat(): Promise<void> {
    while (!this.#over) {
      this.#pause = startPause(heartbeat)
      await this.#pause.over
      if (!this.#full && !this.#over) this.#send(':\n\n')
    }
  }
}

/** `id`, `event` and one line of JSON, without which an event would be none. */
function formatEvent(event: Happening | FeedGap): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
