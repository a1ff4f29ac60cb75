import { expect, it } from 'vitest'
import { createSimulator } from '../../src/index.js'

const hook = 'http://agent.test/hook'

const scenario = {
  scenario: 'files',
  start: '2026-01-05T09:00:00Z',
  assume: { 'events.data': 'nested' },
  organization: { name: 'Files', api_keys: ['key'] },
  identities: [{ handle: 'support' }],
  webhooks: [{ url: hook, events: ['message.received'] }],
} as const

const file = { filename: 'lamp.txt', contentType: 'text/plain', content: 'bGFtcA==' }

it.each(['compact', 'spaced', 'escaped'])(
  'sends a delivery of a snapshot again with the address of the server that has it now: %s',
  async (bytes) => {
    const assume = { 'events.body-bytes': bytes } as const
    const [before, after] = await Promise.all(
      ['http://before.test', 'http://after.test'].map((baseUrl) => {
        return createSimulator({ scenario, baseUrl, assume } as never)
      }),
    )
    if (!before || !after) return expect.unreachable()
    const bodies: string[] = []
    const note = (status: number) => async (request: Request) => {
      bodies.push(await request.text())
      return new Response(null, { status })
    }
    before.webhooks.on(hook, note(500))
    after.webhooks.on(hook, note(200))
    await before.mail.receive({ to: 'support', from: 'ann@example.com', text: 'A lamp', attachments: [file] })
    await before.clock.advance('1s')
    const snapshot = before.snapshot()
    expect(JSON.stringify(snapshot)).not.toContain('before.test')
    after.restore(snapshot)
    await after.clock.advance('1m')
    const [sent = '', again = ''] = bodies
    expect(sent).toContain('before.test')
    expect(again).toBe(sent.replaceAll('before.test', 'after.test'))
    before.close()
    after.close()
  },
)
