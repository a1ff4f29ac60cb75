import { Command } from 'commander'
import { expect, it, vi } from 'vitest'
import { flagCommand } from './flag-command.js'
import { addNetworkFlags, baseUrlOption, serverOptionsOf } from './flags.js'
import { addServe } from './serve.js'

it.each([
  ['https://mail.example', 'https://mail.example'],
  ['https://mail.example/', 'https://mail.example'],
  ['https://mail.example/box/api/v1/', 'https://mail.example/box'],
])('--base-url %s is %s', (given, url) => {
  expect(baseUrlOption().parseArg?.(given, undefined)).toBe(url)
})

it('--delivery-format has a value with "=" in it', () => {
  const command = addNetworkFlags(flagCommand(new Command()), 4280)
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
    const command = addServe(new Command())
    command.action(() => undefined).parse(args, { from: 'user' })
    vi.unstubAllEnvs()
    return command.opts()['controlToken']
  }
  expect(tokenWith('from-env')).toBe('from-env')
  expect(tokenWith('from-env', '--control-token', 'given')).toBe('given')
  expect(serverOptionsOf({ controlToken: tokenWith('') } as never).controlToken).toBeUndefined()
})
