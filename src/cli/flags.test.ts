import { Command } from 'commander'
import { expect, it } from 'vitest'
import { addNetworkFlags, baseUrlOption } from './flags.js'

it.each([
  ['https://mail.example', 'https://mail.example'],
  ['https://mail.example/', 'https://mail.example'],
  ['https://mail.example/box/api/v1/', 'https://mail.example/box'],
])('--base-url %s is %s', (given, url) => {
  expect(baseUrlOption().parseArg?.(given, undefined)).toBe(url)
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
