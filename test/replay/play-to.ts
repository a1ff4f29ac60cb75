import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PlayOptions } from '../../src/runs/agent/options.js'
import { type Play, play } from '../../src/runs/play.js'
import type { Story } from '../../src/story/story.js'

/** What the service responds, as far as tests read it. */
interface Answer {
  readonly threads: readonly { readonly id: string; readonly unread: boolean }[]
  readonly messages: readonly [{ readonly id: string }]
}

/** What an agent of a test can do: requests to the service below `/api/v1`, and to the control API below `/_sim`. */
export type Ask = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly body: Answer }>

/** Plays a story to a function of a test: it acts while time stands still, and the story is told to its end afterwards. */
export async function playTo(
  story: Story,
  act: (ask: Ask) => Promise<unknown>,
  options: PlayOptions = {},
): Promise<Play> {
  let base = ''
  const ask: Ask = async (method, path, body, more) => {
    const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json', ...more }
    const response = await fetch(`${base}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text && JSON.parse(text) }
  }
  let acting: Promise<unknown> | undefined
  // The story begins once this responds.
  const gate = createServer((_, response) => {
    acting ??= act(ask)
    void acting.finally(() => response.end())
  })
  await once(gate.listen(0, '127.0.0.1'), 'listening')
  const ready = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`
  try {
    const started = ({ url }: { readonly url: string }): void => {
      base = url
    }
    const played = await play(story, null, { ...options, ready, watcher: { started } })
    await acting
    return played
  } finally {
    gate.close()
  }
}
