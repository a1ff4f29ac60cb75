import { describe, expect, it } from 'vitest'
import { receiveMail, serve, settledDelivery, subscribe, until } from './desk.js'
import {
  answering,
  answeringAtLength,
  type Behaviour,
  closing,
  closingInBody,
  nowhere,
  startListener,
  startReceiver,
} from './receiver.js'

/** Makes one delivery to a receiver and waits for its first attempt. */
async function delivered(behaviour: Behaviour, assumptions = {}) {
  const receiver = await startReceiver({ '/hook': behaviour })
  const { simulator } = await serve({ assume: assumptions })
  subscribe(simulator, `${receiver.origin}/hook`)
  await receiveMail(simulator)
  return { delivery: await settledDelivery(simulator), receiver, simulator }
}

it('a delivery is a POST whose record shows the sent request', async () => {
  const { delivery, receiver } = await delivered(answering(200, { 'content-type': 'text/plain' }, 'thanks'))
  expect(receiver.received).toHaveLength(1)
  const [{ method, path, headers, body }] = receiver.received as [(typeof receiver.received)[0]]
  expect({ method, path }).toEqual({ method: 'POST', path: '/hook' })
  expect(JSON.parse(body)).toMatchObject({ event: 'message.received', data: { agent_handle: 'support' } })
  expect(delivery.attempts).toEqual([
    {
      number: 1,
      cause: 'event',
      at: '2026-01-05T09:00:00.000Z',
      duration_ms: expect.any(Number),
      request: { headers: expect.any(Object), body },
      response: {
        status: 200,
        headers: expect.objectContaining({ 'content-type': 'text/plain' }),
        body: 'thanks',
      },
      error: null,
    },
  ])
  expect(headers).toMatchObject(delivery.attempts[0]?.request.headers ?? {})
  const itsOwn = ['host', 'connection', 'content-length']
  expect(Object.keys(headers).sort()).toEqual(
    [...itsOwn, ...Object.keys(delivery.attempts[0]?.request.headers ?? {})].sort(),
  )
})

describe('the response of a receiver', () => {
  it.each<[string, Behaviour, object]>([
    ['204', answering(204), { status: 204, body: null }],
    ['500', answering(500, {}, 'Oh no'), { status: 500, body: 'Oh no' }],
    ['a status nobody knows', answering(999), { status: 999, body: null }],
    ['headers more than once', answering(200, { 'set-cookie': 'a=1' }), { status: 200 }],
    [
      'what is no text',
      answering(200, { 'content-type': 'image/png' }, '\x89PNG'),
      { status: 200, body: null },
    ],
    [
      'what says it is compressed',
      answering(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }, 'it is not'),
      { status: 200, body: 'it is not' },
    ],
  ])('is recorded: %s', async (_, behaviour, response) => {
    const { delivery } = await delivered(behaviour)
    expect(delivery.attempts).toMatchObject([{ response, error: null }])
  })

  it('is recorded up to 4 KiB of 10 MB and counts as a success', async () => {
    const { delivery, receiver } = await delivered(answeringAtLength(10_000_000))
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: [{ error: null }] })
    expect(delivery.attempts[0]?.response?.body).toBe('x'.repeat(4096))
    expect(receiver.received).toHaveLength(1)
  })

  it('is not followed if it is a redirect', async () => {
    const target = await startReceiver({ '/': answering(200) })
    for (const status of [301, 302, 303, 307, 308]) {
      const { delivery } = await delivered(answering(status, { location: `${target.origin}/` }))
      expect(delivery.status).toBe('pending')
      expect(delivery.attempts).toMatchObject([
        { response: { status, headers: { location: `${target.origin}/` } }, error: null },
      ])
    }
    expect(target.connections()).toBe(0)
  })

  it('may break off before its head', async () => {
    const { delivery, receiver } = await delivered(closing)
    const message = 'No response: the receiver closed the connection.'
    expect(delivery.status).toBe('pending')
    expect(delivery.attempts).toMatchObject([{ response: null, error: { code: 'broken-off', message } }])
    // The receiver may have handled the delivery: an attempt sends nothing twice.
    expect(receiver.received).toHaveLength(1)
  })

  it('may break off in its body', async () => {
    const { delivery } = await delivered(closingInBody)
    const message = 'The response was cut off: the receiver closed the connection'
    expect(delivery.status).toBe('pending')
    expect(delivery.attempts).toMatchObject([
      { response: { status: 200, body: 'It begins' }, error: { code: 'incomplete', message } },
    ])
  })
})

describe('an address without a receiver', () => {
  it('is reported as one where nothing listens', async () => {
    const { simulator } = await serve()
    const origin = await nowhere()
    subscribe(simulator, `${origin}/hook`)
    await receiveMail(simulator)
    const { status, attempts } = await settledDelivery(simulator)
    expect(status).toBe('pending')
    const message = `Nothing listens at ${new URL(origin).host}.`
    expect(attempts).toMatchObject([{ response: null, error: { code: 'unreachable', message } }])
  })

  it.each([
    [
      'no HTTP',
      'Hello, this is something else.\r\n\r\n',
      /^No response: the receiver did not send valid HTTP/,
    ],
    [
      'a status without digits',
      'HTTP/1.1 fine\r\n\r\n',
      /^No response: the receiver did not send valid HTTP/,
    ],
    ['endless headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}`, /more than 16 KiB of headers/],
    [
      'an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      /^No response: .*responded with 100 or 101/,
    ],
    ['an interim response', 'HTTP/1.1 100 Continue\r\n\r\n', /^No response: .*responded with 100 or 101/],
    [
      'a status below 100',
      'HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n',
      /^No response: the receiver did not send valid HTTP\.$/,
    ],
  ])('is reported if it responds with %s', async (_, bytes, message) => {
    const listener = await startListener((socket) => void socket.on('data', () => socket.write(bytes)))
    const { simulator } = await serve()
    subscribe(simulator, `${listener.origin}/hook`)
    await receiveMail(simulator)
    const { attempts } = await settledDelivery(simulator)
    expect(attempts).toMatchObject([
      { error: { code: 'broken-off', message: expect.stringMatching(message) } },
    ])
  })

  it('is reported as one without TLS', async () => {
    const receiver = await startReceiver({ '/hook': answering(200) })
    const { simulator } = await serve()
    subscribe(simulator, `${receiver.origin.replace('http:', 'https:')}/hook`)
    await receiveMail(simulator)
    const { attempts } = await settledDelivery(simulator)
    const message = expect.stringContaining('does not speak TLS')
    expect(attempts).toMatchObject([{ error: { code: 'unreachable', message } }])
    expect(receiver.received).toEqual([])
  })
})

it('requests to one receiver share its connections', async () => {
  const receiver = await startReceiver({ '/hook': answering(200) })
  const { simulator } = await serve()
  subscribe(simulator, `${receiver.origin}/hook`)
  for (let count = 0; count < 50; count++) await receiveMail(simulator)
  await until(() => receiver.received.length === 50)
  expect(receiver.connections()).toBeLessThan(10)
})
