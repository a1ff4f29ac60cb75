import { expect, it } from 'vitest'
import { isLoopback } from './allowed-targets.js'

it.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  'accepts %s',
  (address) => {
    expect(isLoopback(address)).toBe(true)
  },
)

it.each([
  ...'0.0.0.0 126.255.255.255 128.0.0.1 192.0.2.7 :: ::2 ::127.0.0.1 ::ffff:192.0.2.7'.split(' '),
  ...['64:ff9b::7f00:1', 'fe80::1', 'fe80::1%lo', 'localhost', ''],
])('rejects "%s"', (address) => {
  expect(isLoopback(address)).toBe(false)
})
