import { describe, expect, it } from 'vitest'
import { WorldError } from '../model/errors.js'
import { callReceiver, type Receiver, Receivers } from './transport.js'

const url = 'http://agent.test/hook'
const { signal } = new AbortController()

const named = (status: number): Receiver => {
  return () => new Response(null, { status })
}

describe('Receivers', () => {
  it('finds a receiver by its normalized URL, or that of any URL for all others', () => {
    const receivers = new Receivers()
    const [one, any] = [named(201), named(202)]
    receivers.on('*', any)
    receivers.on('HTTP://Agent.Test:80/hook', one)
    expect(receivers.find(url)).toBe(one)
    for (const other of ['http://other.test/', `${url}?x=1`, 'http://agent.test/Hook']) {
      expect(receivers.find(other)).toBe(any)
    }
  })

  it('uses the latest receiver of a URL, until that one is removed', () => {
    const receivers = new Receivers()
    const endFirst = receivers.on(url, named(201))
    const second = named(202)
    const endSecond = receivers.on(url, second)
    endFirst()
    expect(receivers.find(url)).toBe(second)
    endSecond()
    expect(receivers.find(url)).toBeUndefined()
  })

  it.each(['', '/hook', 'agent.test', '**'])('refuses %j, which is not a URL', (wrong) => {
    const on = () => new Receivers().on(wrong, named(200))
    expect(on).toThrow(WorldError)
    expect(on).toThrow(`"${wrong}" is not a URL; give a complete one, or "*" for any.`)
  })
})

describe('callReceiver', () => {
  const outgoing = { url, headers: {}, body: '{}' }

  it.each([
    [{ url: 'http://ann:pass@agent.test/hook' }],
    [{ headers: { authorization: 'Bearer кот' } }],
    [{ headers: { authorization: 'Bearer s3cret\nline' } }],
  ])('refuses a request that cannot be sent, without its token in the error: %j', async (wrong) => {
    const receiver: Receiver = () => {
      throw new Error('It was sent.')
    }
    const error = await callReceiver(receiver, { ...outgoing, ...wrong }, signal).catch(
      (thrown: Error) => thrown,
    )
    expect(error).toMatchObject({ name: 'TransportError', code: 'unreachable' })
    expect((error as Error).message).not.toMatch(/кот|s3cret|pass@/)
  })
})

const encoder = new TextEncoder()

/** Returns the recorded response of a response. */
function answerOf(response: Response, abort = signal) {
  return callReceiver(() => response, { url, headers: {}, body: '' }, abort)
}

/** A body in parts; an error breaks it off. */
function bodyOf(parts: readonly unknown[]) {
  const cancelled: unknown[] = []
  let place = 0
  const stream = new ReadableStream({
    pull(controller) {
      const part = parts[place++]
      if (part === undefined) controller.close()
      else if (part instanceof Error) controller.error(part)
      else controller.enqueue(part)
    },
    cancel: (reason) => void cancelled.push(reason),
  })
  return { stream, cancelled, taken: () => place }
}

const text = { headers: { 'content-type': 'text/plain' } }

describe('the recorded response', () => {
  it('has the first 4 KiB of a body in many parts, without splitting a character, and cancels the rest', async () => {
    const bytes = encoder.encode(`x${'ä'.repeat(4000)}`)
    const parts = Array.from({ length: bytes.length }, (_, at) => bytes.slice(at, at + 1))
    const { stream, cancelled, taken } = bodyOf(parts)
    const answer = await answerOf(new Response(stream, text))
    expect(answer).toMatchObject({ body: `x${'ä'.repeat(2047)}`, incomplete: undefined })
    expect(cancelled).toHaveLength(1)
    expect(taken()).toBeLessThan(4200)
  })

  it('has the innermost reason if the body is incomplete', async () => {
    const error = new Error('fetch failed', { cause: new Error('other side closed') })
    const answer = await answerOf(new Response(bodyOf([encoder.encode('half'), error]).stream, text))
    expect(answer).toMatchObject({ status: 200, body: 'half', incomplete: 'other side closed' })
  })

  it('has the text before an abort, which cancels the body', async () => {
    const controller = new AbortController()
    let cancelled = false
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(encoder.encode('half')),
      cancel: () => {
        cancelled = true
      },
    })
    const answer = answerOf(new Response(stream, text), controller.signal)
    await undefined
    controller.abort()
    expect((await answer)?.body).toBe('half')
    expect(cancelled).toBe(true)
  })
})
