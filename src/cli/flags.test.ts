import { Command } from 'commander'
import { expect, it, vi } from 'vitest'
import { replayAndKeep } from '../runs/replay/replay.js'
import { addNetworkFlags, optionsOf } from './flags.js'
import { parseServiceUrl } from './live-service.js'
import { addReplay } from './replay.js'
import { addServe } from './serve.js'

it.each([
  ['https://mail.example', 'https://mail.example'],
  ['https://mail.example/', 'https://mail.example'],
  ['https://mail.example/box/api/v1/', 'https://mail.example/box'],
])('--base-url %s is %s', (given, url) => {
  expect(parseServiceUrl(given)).toBe(url)
})

it('--delivery-format has a value with "=" in it', () => {
  const command = addNetworkFlags(new Command(), 4280)
  command.parse(
    ['--delivery-format', 'signed_text=t={timestamp}', '--delivery-format', 'signature_header=x-s'],
    {
      from: 'user',
    },
  )
  expect(command.opts()).toMatchObject({
    deliveryFormat: { signed_text: 't={timestamp}', signature_header: 'x-s' },
  })
})

it('--control-token of serve comes from the environment as well, where other users cannot see it', () => {
  const tokenWith = (variable: string, ...args: string[]) => {
    vi.stubEnv('MAILBOX_SIM_TOKEN', variable)
    const command = new Command()
    addServe(command)
    command.action(() => undefined).parse(args, { from: 'user' })
    vi.unstubAllEnvs()
    return command.opts()['controlToken']
  }
  expect(tokenWith('from-env')).toBe('from-env')
  expect(tokenWith('from-env', '--control-token', 'given')).toBe('given')
  expect(optionsOf({ controlToken: tokenWith('') } as never).controlToken).toBeUndefined()
})

it('what replay is told about tools is what its server does', async () => {
  const command = new Command()
  addReplay(command)
  const words = ['--tools', 'threads_list', '--seed', '9']
  command.action(() => undefined).parse(words, { from: 'user' })
  const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }
  const { server, close } = await replayAndKeep({ ...optionsOf(command.opts()), scenario })
  const { mcpUrl, simulator } = server
  const response = await fetch(mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${simulator.apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  const names = [...(await response.text()).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name)
  await close()
  expect([names, simulator.seed]).toEqual([['threads_list'], 9])
})
