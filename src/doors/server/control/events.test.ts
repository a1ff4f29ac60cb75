import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { followFakeTimers } from '../../../../test/support/fake-timers.js'
import { EventFeed, EventFeedReader } from '../../../service/record/event-feed.js'
import { streamEvents } from './events.js'

followFakeTimers()

/** A response whose client controls its backpressure. */
class Client extends EventEmitter {
  readonly req = { socket: new EventEmitter() }
  readonly got: string[] = []
  readonly chunks: unknown[] = []
  /** The number of chunks until its buffer is full. */
  room = Number.POSITIVE_INFINITY
  ended = false

  write(text: string | Uint8Array): boolean {
    this.chunks.push(text)
    this.got.push(Buffer.from(text).toString())
    return --this.room > 0
  }

  end(): void {
    this.ended = true
    this.emit('close')
  }

  /** Drains the buffer and makes room for more chunks. */
  drain(room: number): void {
    this.room = room
    this.emit('drain')
  }

  /** The numbers of the received events, with the size of each gap. */
  get read(): string[] {
    return this.got
      .filter((text) => text.startsWith('id:'))
      .map((text) => {
        const { seq, type, missed } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '')
        return type === 'gap' ? `gap of ${missed}` : String(seq)
      })
  }
}

function open(feed = new EventFeed('world_1', vi.fn())) {
  const client = new Client()
  const done = streamEvents(client as unknown as ServerResponse, feed, new EventFeedReader(feed, 0))
  return { feed, client, done }
}

function publish(feed: EventFeed, count = 1, show: () => unknown = () => ({})): void {
  for (let index = 0; index < count; index++) feed.publish('command', 0, { show })
}

/** Waits for a turn of the event loop. */
async function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  await new Promise((resolve) => {
    port1.onmessage = resolve
    port2.postMessage(undefined)
  })
  port1.close()
}

describe('streamEvents', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('writes the retry interval immediately, and an event as one line', async () => {
    const { feed, client } = open()
    expect(client.got).toEqual(['retry: 1000\n\n'])
    publish(feed, 1, () => ({ text: 'two\nlines \u2028' }))
    await turn()
    expect(client.got[1]).toMatch(/^id: 1\nevent: command\ndata: .*"two\\nlines \u2028"}}\n\n$/)
  })

  it('respects backpressure and buffers nothing', async () => {
    const { feed, client } = open()
    const show = vi.fn(() => ({}))
    client.room = 3
    publish(feed, 10, show)
    await turn()
    publish(feed, 1, show)
    await turn()
    expect(client.read).toEqual(['1', '2', '3'])
    expect(show).toHaveBeenCalledTimes(3)
    client.drain(2)
    await turn()
    expect(client.read).toEqual(['1', '2', '3', '4', '5'])
    client.drain(100)
    await turn()
    expect(client.read.slice(5)).toEqual(['6', '7', '8', '9', '10', '11'])
  })

  it('encodes an event once for all its clients, now and later, without a copy for each', async () => {
    const { feed, client } = open()
    const others = Array.from({ length: 5 }, () => open(feed).client)
    const show = vi.fn(() => ({ text: 'Hello' }))
    publish(feed, 20, show)
    await turn()
    const late = open(feed).client
    for (const other of [...others, late]) expect(other.got).toEqual(client.got)
    expect(client.read).toHaveLength(20)
    expect(show).toHaveBeenCalledTimes(20)
    for (const [index, chunk] of late.chunks.entries()) expect(client.chunks[index]).toBe(chunk)
  })

  it('sends a comment every 15 seconds unless the client is blocked', async () => {
    const { feed, client, done } = open()
    await vi.advanceTimersByTimeAsync(14_999)
    expect(client.got).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(client.got.slice(1)).toEqual([':\n\n', ':\n\n'])
    client.room = 1
    publish(feed)
    await turn()
    const { length } = client.got
    await vi.advanceTimersByTimeAsync(60_000)
    expect(client.got).toHaveLength(length)
    client.emit('close')
    await done
    expect(vi.getTimerCount()).toBe(0)
  })

  it('rejects with the error of an event that cannot be rendered', async () => {
    const { feed, done } = open()
    const error = new Error('a defect')
    publish(feed, 1, () => {
      throw error
    })
    await expect(done).rejects.toBe(error)
  })
})
