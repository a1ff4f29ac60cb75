import { describe, expect, it } from 'vitest'
import { answerOf } from './answer-of.js'

const encoder = new TextEncoder()

/** A body that comes in parts; an error breaks it off. */
function bodyOf(parts: readonly unknown[]) {
  const cancelled: unknown[] = []
  let place = 0
  const stream = new ReadableStream({
    pull(controller) {
      const part = parts[place++]
      if (part === undefined) controller.close()
      else if (part instanceof Error || part === null || part === 'gone') controller.error(part)
      else controller.enqueue(part)
    },
    cancel: (reason) => void cancelled.push(reason),
  })
  return { stream, cancelled, taken: () => place }
}

const text = { headers: { 'content-type': 'text/plain' } }

describe('what is kept of an answer', () => {
  it('is its status, its headers and its text', async () => {
    const response = new Response('{"ok": "ä"}', {
      status: 202,
      headers: { 'Content-Type': 'application/json', 'Retry-After': '7' },
    })
    expect(await answerOf(response)).toEqual({
      status: 202,
      headers: { 'content-type': 'application/json', 'retry-after': '7' },
      body: '{"ok": "ä"}',
    })
  })

  it.each([
    ['nothing', new Response(null, { status: 204 })],
    ['an empty text', new Response('')],
    ['an image', new Response(encoder.encode('PNG'), { headers: { 'content-type': 'image/png' } })],
  ])('is no text where it is %s', async (_, response) => {
    expect((await answerOf(response)).body).toBeNull()
  })

  it('is no more than 4 KiB of the body, and the rest is let go of', async () => {
    const megabyte = encoder.encode('x'.repeat(1 << 20))
    const { stream, cancelled, taken } = bodyOf(Array.from({ length: 10 }, () => megabyte))
    const answer = await answerOf(new Response(stream, text))
    expect(answer.body).toBe('x'.repeat(4096))
    expect(answer.incomplete).toBeUndefined()
    expect(cancelled).toHaveLength(1)
    expect(taken()).toBeLessThan(4)
  })

  it('is the start of it, out of however many parts, without a character cut in two', async () => {
    const bytes = encoder.encode(`x${'ä'.repeat(4000)}`)
    const parts = Array.from({ length: bytes.length }, (_, at) => bytes.slice(at, at + 1))
    expect((await answerOf(new Response(bodyOf(parts).stream, text))).body).toBe(`x${'ä'.repeat(2047)}`)
  })

  it.each([
    [new Error('fetch failed', { cause: new Error('other side closed') }), 'other side closed'],
    [new Error('broken'), 'broken'],
    ['gone', 'gone'],
    [null, 'null'],
  ])('says why it ended before it was whole: %s', async (error, reason) => {
    const answer = await answerOf(new Response(bodyOf([encoder.encode('half'), error]).stream, text))
    expect(answer).toMatchObject({ status: 200, body: 'half', incomplete: reason })
  })

  it('is what came before a signal, which lets go of a body that never ends', async () => {
    const { signal, abort } = signalled()
    let cancelled = false
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(encoder.encode('half')),
      cancel: () => {
        cancelled = true
      },
    })
    const answer = answerOf(new Response(stream, text), signal)
    await undefined
    abort()
    expect((await answer).body).toBe('half')
    expect(cancelled).toBe(true)
  })

  it('is an answer without a whole body where somebody else has read it', async () => {
    const response = new Response('words')
    await response.text()
    expect(await answerOf(response)).toMatchObject({ status: 200, incomplete: expect.any(String) })
  })
})

function signalled() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
