import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { serveDesk } from './desk.js'
import { commandsIn, hasCurl, withCurl, withFetch } from './page-commands.js'

const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
const commands = commandsIn(page)

describe('docs/webhooks.md', () => {
  it.each(
    hasCurl ? [['curl', withCurl] as const, ['fetch', withFetch] as const] : [['fetch', withFetch] as const],
  )('shows commands that do what they say, as %s sees it', async (_name, run) => {
    const { url, simulator } = await serveDesk({
      readings: 'worst-case',
      receiver: () => new Response(null, { status: 500 }),
    })
    expect(commands.length).toBeGreaterThan(3)
    const bodies: string[] = []
    for (const { args, status } of commands) {
      const answer = await run(
        args.map((word) => word.replace('http://127.0.0.1:4280', url)),
        '.',
      )
      expect([args.at(-1), answer.status]).toEqual([args.at(-1), status])
      bodies.push(answer.body)
    }
    const { deliveries } = JSON.parse(bodies.at(-1) ?? '')
    expect(deliveries).toMatchObject([
      { url: 'http://127.0.0.1:9/hook' },
      { url: 'http://127.0.0.1:8787/hook', status: 'failed', attempts: [{ response: { status: 500 } }] },
    ])
    expect(simulator.clock.now()).toBe('2026-01-05T11:00:00.000Z')
  })
})
