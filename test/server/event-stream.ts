import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import { expect, onTestFinished, vi } from 'vitest'

/** A received event. */
export interface ReceivedEvent {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it looks for.
  readonly data: any
}

/** Follows the events of a server until the test ends. */
export class Follower {
  readonly events: ReceivedEvent[] = []
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    const parsed = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    this.ended = this.#read(parsed).catch(() => undefined)
  }

  async #read(parsed: ReadableStream<EventSourceMessage>): Promise<void> {
    for await (const { id = '', event = '', data } of parsed) {
      this.events.push({ id, event, data: JSON.parse(data) })
    }
  }

  /** Waits for a number of events. */
  async have(count: number): Promise<readonly ReceivedEvent[]> {
    await vi.waitUntil(() => this.events.length >= count, { timeout: 25_000, interval: 5 })
    return this.events
  }
}

/** Follows the events of a server; `query` begins with `?`. */
export async function follow(
  controlUrl: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<Follower> {
  const control = new AbortController()
  onTestFinished(() => control.abort())
  const answer = await fetch(`${controlUrl}/events${query}`, { headers, signal: control.signal })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(answer.headers.get('x-accel-buffering')).toBe('no')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return new Follower(answer.body as ReadableStream<Uint8Array<ArrayBuffer>>)
}
