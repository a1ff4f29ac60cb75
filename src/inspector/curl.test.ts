import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { curlOf } from './curl.js'

/** Pastes a command into a shell in which `curl` only shows its arguments. */
function argumentsOf(command: string, env: Readonly<Record<string, string>> = {}): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1)
}

describe('curlOf', () => {
  it('quotes everything but the variables of the mailbox', () => {
    const command = curlOf({
      method: 'PATCH',
      url: "$MAILBOX_BASE_URL/api/v1/identities/o'hara?x=$HOME&y=`id`",
      headers: { Authorization: 'Bearer $MAILBOX_API_KEY', 'Content-Type': 'application/json' },
      data: '@{"display_name": "It\'s $MAILBOX_API_KEY"}\n',
    })
    const env = { MAILBOX_BASE_URL: 'http://127.0.0.1:1', MAILBOX_API_KEY: 'my key' }
    expect(argumentsOf(command, env)).toEqual([
      ...['-X', 'PATCH', "http://127.0.0.1:1/api/v1/identities/o'hara?x=$HOME&y=`id`"],
      ...['-H', 'Authorization: Bearer my key', '-H', 'Content-Type: application/json'],
      ...['--data-raw', '@{"display_name": "It\'s $MAILBOX_API_KEY"}\n'],
    ])
  })

  it('sends no more than the request has', () => {
    expect(argumentsOf(curlOf({ method: 'GET', url: 'http://x/', headers: {}, data: null }))).toEqual([
      ...['-X', 'GET', 'http://x/'],
    ])
    expect(argumentsOf(curlOf({ method: 'HEAD', url: 'http://x/', headers: {}, data: null }))).toEqual([
      ...['--head', 'http://x/'],
    ])
  })
})
