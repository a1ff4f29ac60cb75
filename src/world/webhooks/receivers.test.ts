import { describe, expect, it } from 'vitest'
import { CommandError } from '../errors.js'
import { OutletError } from './outlet.js'
import { type Receiver, Receivers, receiveHere } from './receivers.js'

const url = 'http://agent.test/hook'
const { signal } = new AbortController()

const named = (status: number): Receiver => {
  return () => new Response(null, { status })
}

describe('receivers in this process', () => {
  it('are found by the URL they take deliveries at, however it is written', () => {
    const receivers = new Receivers()
    const [one, root] = [named(201), named(202)]
    receivers.on('HTTP://Agent.Test:80/hook', one)
    receivers.on('http://agent.test', root)
    expect(receivers.of(url)).toBe(one)
    expect(receivers.of('http://agent.test/')).toBe(root)
    expect(receivers.of('http://agent.test/hook?x=1')).toBeUndefined()
    expect(receivers.of('http://agent.test/Hook')).toBeUndefined()
    expect(receivers.of('https://agent.test/hook')).toBeUndefined()
  })

  it('take what no other takes, where they say so', () => {
    const receivers = new Receivers()
    const [one, any] = [named(201), named(202)]
    receivers.on('*', any)
    receivers.on(url, one)
    expect(receivers.of(url)).toBe(one)
    expect(receivers.of('http://other.test/')).toBe(any)
  })

  it('are the latest of a URL, and end nobody but themselves', () => {
    const receivers = new Receivers()
    const endFirst = receivers.on(url, named(201))
    const second = named(202)
    const endSecond = receivers.on(url, second)
    endFirst()
    expect(receivers.of(url)).toBe(second)
    endSecond()
    expect(receivers.of(url)).toBeUndefined()
  })

  it.each(['', '/hook', 'agent.test', '**'])('take nothing at %j, which is no URL', (wrong) => {
    const on = () => new Receivers().on(wrong, named(200))
    expect(on).toThrow(CommandError)
    expect(on).toThrow(`"${wrong}" is no URL to receive at; name one in full, or "*" for any.`)
  })
})

describe('a receiver that takes a request', () => {
  const outgoing = { url, headers: { 'content-type': 'application/json', 'x-a': 'b' }, body: '{"a": "ä"}' }

  it('sees the request as it is sent', async () => {
    const seen: unknown[] = []
    const receiver: Receiver = async (request) => {
      const headers = Object.fromEntries(request.headers)
      seen.push(request.method, request.url, headers, await request.text())
    }
    expect(await receiveHere(receiver, outgoing, signal)).toBeUndefined()
    expect(seen).toEqual(['POST', url, outgoing.headers, outgoing.body])
  })

  it('answers with what it gives', async () => {
    expect(await receiveHere(named(503), outgoing, signal)).toMatchObject({ status: 503 })
    expect(
      await receiveHere(async () => new Response('no', { status: 500 }), outgoing, signal),
    ).toMatchObject({
      status: 500,
      body: 'no',
    })
  })

  it('hears when it is not waited for any more', async () => {
    const controller = new AbortController()
    const receiver: Receiver = (request) =>
      new Promise((resolve) => {
        request.signal.addEventListener('abort', () => resolve(new Response('late')))
        controller.abort()
      })
    expect(await receiveHere(receiver, outgoing, controller.signal)).toMatchObject({ status: 200 })
  })

  it.each<[string, Receiver]>([
    ['TypeError: bad', () => Promise.reject(new TypeError('bad'))],
    [
      'Error: at once',
      () => {
        throw new Error('at once')
      },
    ],
    ['words', () => Promise.reject('words')],
    ['undefined', () => Promise.reject(undefined)],
  ])('fails the attempt, and nothing else, where it throws %s', async (message, receiver) => {
    const error = await receiveHere(receiver, outgoing, signal).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OutletError)
    expect(error).toMatchObject({ code: 'threw', message: `The receiver threw ${message}` })
  })

  it.each([
    [{ url: 'http://ann:pass@agent.test/hook' }],
    [{ headers: { authorization: 'Bearer кот' } }],
    [{ headers: { authorization: 'Bearer s3cret\nline' } }],
  ])('gets nothing that cannot be sent, and its token is not told: %j', async (wrong) => {
    const receiver: Receiver = () => {
      throw new Error('It was sent.')
    }
    const error = await receiveHere(receiver, { ...outgoing, ...wrong }, signal).catch((thrown) => thrown)
    expect(error).toMatchObject({ name: 'OutletError', code: 'unreachable' })
    expect(error.message).not.toMatch(/кот|s3cret|pass@/)
  })
})
