import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { collectGarbage } from '../../../test/support/collect-garbage.js'
import { hasIpv6 } from '../../../test/support/ipv6.js'
import { TransportError } from '../../service/webhooks/transport.js'
import {
  isLoopback,
  type LookUp,
  NetworkTransport,
  type NetworkTransportOptions,
} from './network-transport.js'

/** Starts a receiver that responds with 200 with its local address; returns its port. */
async function startReceiver(host: string, onRequest: () => void = () => undefined): Promise<number> {
  const server = createServer(({ socket }, response) => {
    onRequest()
    response.writeHead(200, { 'content-type': 'text/plain', connection: 'close' })
    response.end(`${socket.localAddress}`)
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

/** A transport with the given DNS results in turn, the last one repeated; `asked` has the names looked up. */
function transportWith(
  names: Record<string, readonly (readonly string[])[]>,
  allowed: readonly string[] = [],
) {
  const asked: string[] = []
  const lookUp: LookUp = async (name) => {
    const times = asked.filter((other) => other === name).length
    asked.push(name)
    const answers = names[name] ?? []
    const found = answers[Math.min(times, answers.length - 1)]
    if (found) return found
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
  }
  return { transport: createTransport({ lookUp, allowed }), asked }
}

function createTransport(options: NetworkTransportOptions): NetworkTransport {
  const transport = new NetworkTransport(options)
  onTestFinished(() => transport.close())
  return transport
}

function send(transport: NetworkTransport, url: string, signal = new AbortController().signal) {
  return transport.send({ url, headers: {}, body: '{}' }, signal)
}

/** Returns the error of a failed request. */
async function failure(transport: NetworkTransport, url: string): Promise<TransportError> {
  const error = await send(transport, url).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TransportError)
  return error as TransportError
}

describe('a delivery to a host name', () => {
  it('is sent to a loopback address, and blocked once a look-up returns another one', async () => {
    const port = await startReceiver('127.0.0.1')
    const { transport, asked } = transportWith({ 'desk.test': [['127.0.0.1'], ['0.0.0.0']] })
    const url = `http://desk.test:${port}/`
    expect(await send(transport, url)).toMatchObject({ status: 200, body: '127.0.0.1' })
    expect(asked).toEqual(['desk.test'])
    expect(await failure(transport, url)).toMatchObject({ code: 'blocked' })
    expect(asked).toEqual(['desk.test', 'desk.test'])
  })

  it('is sent to the allowed ones of several addresses', async () => {
    const port = await startReceiver('127.0.0.1')
    const { transport } = transportWith({ 'desk.test': [['0.0.0.0', '192.0.2.7', '127.0.0.1']] })
    expect(await send(transport, `http://desk.test:${port}/`)).toMatchObject({ body: '127.0.0.1' })
  })

  it('is sent to the first of several addresses that responds', async () => {
    const port = await startReceiver('127.0.0.1')
    const { transport } = transportWith({ 'desk.test': [['::1', '127.0.0.1']] })
    expect(await send(transport, `http://desk.test:${port}/`)).toMatchObject({ body: '127.0.0.1' })
  })

  it('is blocked without a loopback address', async () => {
    const { transport } = transportWith({
      'hooks.example': [['192.0.2.7', '2001:db8::7', '::ffff:10.0.0.1']],
    })
    const { code, message } = await failure(transport, 'https://hooks.example/in')
    expect(code).toBe('blocked')
    expect(message).toMatch('--allow-delivery-to hooks.example:443 allows it')
  })

  it('is blocked the same for an unknown name', async () => {
    const known = transportWith({ 'hooks.example': [['192.0.2.7']] })
    const unknown = transportWith({})
    const blocked = await failure(known.transport, 'http://hooks.example/in')
    expect(await failure(unknown.transport, 'http://hooks.example/in')).toMatchObject({ ...blocked })
  })

  it('is sent to any address of an allowed name', async () => {
    const port = await startReceiver('0.0.0.0')
    const { transport } = transportWith({ 'hooks.example': [['0.0.0.0']] }, [`Hooks.Example.:${port}`])
    expect(await send(transport, `http://hooks.example:${port}/`)).toMatchObject({ status: 200 })
    expect(await failure(transport, 'http://hooks.example/')).toMatchObject({ code: 'blocked' })
  })

  it('is unreachable for an allowed unknown name', async () => {
    const { transport } = transportWith({}, ['hooks.example'])
    const message = 'No address is known for hooks.example (ENOTFOUND).'
    expect(await failure(transport, 'http://hooks.example/in')).toMatchObject({
      code: 'unreachable',
      message,
    })
  })
})

describe('a DNS query', () => {
  it('is not sent for IP addresses in any spelling', async () => {
    const { transport, asked } = transportWith({})
    for (const host of '192.0.2.7 0xc0000207 3221225991 [2001:db8::7] [::ffff:192.0.2.7] [::]'.split(' ')) {
      expect(await failure(transport, `http://${host}:9/`)).toMatchObject({ code: 'blocked' })
    }
    expect(asked).toEqual([])
  })

  it('is not sent for localhost, which has both loopback addresses', async () => {
    const { transport, asked } = transportWith({})
    const hosts = hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']
    for (const host of hosts) {
      const port = await startReceiver(host)
      expect(await send(transport, `http://localhost:${port}/`)).toMatchObject({ body: host })
      expect(await send(transport, `http://hooks.localhost:${port}/`)).toMatchObject({ body: host })
    }
    expect(asked).toEqual([])
  })
})

it('does not replace port 0 with the default port', async () => {
  const { transport } = transportWith({}, ['192.0.2.7:80'])
  expect(await failure(transport, 'http://127.0.0.1:0/')).toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('127.0.0.1:0'),
  })
  expect(await failure(transport, 'http://192.0.2.7:0/')).toMatchObject({ code: 'blocked' })
})

describe('close()', () => {
  it('does not wait for a look-up', async () => {
    const lookUp = vi.fn<LookUp>(() => new Promise(() => undefined))
    const transport = createTransport({ lookUp })
    const ended = failure(transport, 'http://slow.test/')
    await vi.waitUntil(() => lookUp.mock.calls.length === 1, { timeout: 25_000 })
    await transport.close()
    expect(await ended).toMatchObject({ code: 'broken-off' })
  })

  it('prevents further requests', async () => {
    const port = await startReceiver('127.0.0.1')
    const { transport } = transportWith({})
    await transport.close()
    expect(await failure(transport, `http://127.0.0.1:${port}/`)).toMatchObject({ code: 'broken-off' })
  })
})

it('never sends a request that is aborted before it is connected', async () => {
  let requests = 0
  const port = await startReceiver('127.0.0.1', () => void requests++)
  let answer: ((addresses: readonly string[]) => void) | undefined
  const transport = createTransport({
    lookUp: () => {
      return new Promise((resolve) => {
        answer = resolve
      })
    },
  })
  const given = new AbortController()
  const ended = send(transport, `http://desk.test:${port}/`, given.signal)
  await vi.waitUntil(() => answer, { timeout: 25_000 })
  given.abort()
  answer?.(['127.0.0.1'])
  await expect(ended).rejects.toMatchObject({ code: 'broken-off', message: 'The request was aborted.' })
  expect(await send(transport, `http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 })
  expect(requests).toBe(1)
})

it('keeps nothing of a delivery that has ended', async () => {
  const transport = createTransport({})
  const url = `http://127.0.0.1:${await startReceiver('127.0.0.1')}/`
  const deliver = async (): Promise<WeakRef<() => void>> => {
    let times = 0
    const sent = (): void => void times++
    await transport.send({ url, headers: {}, body: '{}' }, new AbortController().signal, sent)
    expect(times).toBe(1)
    return new WeakRef(sent)
  }
  const kept = await deliver()
  await vi.waitUntil(() => {
    collectGarbage()
    return kept.deref() === undefined
  })
})

it('does not replace the global dispatcher of the process', async () => {
  expect(await failure(createTransport({}), 'http://192.0.2.7/')).toMatchObject({ code: 'blocked' })
  const { Agent } = await import('undici')
  const dispatcher = (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.1')]
  expect(dispatcher).toBeDefined()
  expect(dispatcher).not.toBeInstanceOf(Agent)
})

it('recognizes loopback addresses in any notation', () => {
  const loopback = [
    '127.0.0.1',
    '127.255.255.254',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
  ]
  expect(loopback.filter((address) => !isLoopback(address))).toEqual([])
  const others = [
    ...'0.0.0.0 126.255.255.255 128.0.0.1 192.0.2.7 :: ::2 ::127.0.0.1 ::ffff:192.0.2.7'.split(' '),
    ...['64:ff9b::7f00:1', 'fe80::1', 'fe80::1%lo', 'localhost', ''],
  ]
  expect(others.filter(isLoopback)).toEqual([])
})
