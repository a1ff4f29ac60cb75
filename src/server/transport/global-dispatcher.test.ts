import { expect, it, onTestFinished } from 'vitest'
import { NetworkTransport } from './network-transport.js'

it('does not replace the global dispatcher of the process', async () => {
  const transport = new NetworkTransport()
  onTestFinished(() => transport.close())
  const request = { url: 'http://192.0.2.7/', headers: {}, body: '' }
  await expect(transport.send(request, new AbortController().signal)).rejects.toThrow('--allow-delivery-to')
  const { Agent } = await import('undici')
  const dispatcher = (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.1')]
  expect(dispatcher).toBeDefined()
  expect(dispatcher).not.toBeInstanceOf(Agent)
})
