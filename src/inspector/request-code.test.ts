import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import type { Exchange } from '../service/world/exchange.js'
import { curlOfExchange } from './request-code.js'

/** Pastes the command of a request into a shell in which `curl` only shows its arguments. */
function pasted(exchange: object): string[] {
  const command = curlOfExchange(exchange as Exchange, '$MAILBOX_BASE_URL')
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const env = { MAILBOX_BASE_URL: 'http://127.0.0.1:1', MAILBOX_API_KEY: 'my key' }
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1)
}

it('a request is copied for a shell with everything quoted but the variables of the mailbox', () => {
  const headers = { authorization: 'Bearer ***', 'content-type': 'application/json' }
  const body = '@{"display_name": "It\'s $MAILBOX_API_KEY"}\n'
  const request = { method: 'PATCH', path: "/api/v1/identities/o'hara`id`", query: { x: '$HOME' } }
  expect(pasted({ ...request, status: 200, fault: null, request: { headers, body } })).toEqual([
    ...['-X', 'PATCH', "http://127.0.0.1:1/api/v1/identities/o'hara`id`?x=%24HOME"],
    ...['-H', 'Authorization: Bearer my key', '-H', 'Content-Type: application/json'],
    ...['--data-raw', body],
  ])
  const refused = { method: 'HEAD', path: '/', query: {}, status: 401, fault: null }
  expect(pasted({ ...refused, request: { headers: { authorization: 'Bearer ***' }, body: null } })).toEqual([
    ...['--head', 'http://127.0.0.1:1/', '-H', 'Authorization: Bearer ***'],
  ])
})
