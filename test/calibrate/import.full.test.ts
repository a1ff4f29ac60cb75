import { stat } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/doors/server/start-server.js'
import { useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { mailboxOf } from './instance.js'

const start = useProgram().with({ MAIL_KEY: 'rich-key' })

interface Listed {
  readonly threads: readonly { readonly id: string; readonly last_message_at: string }[]
  readonly messages: readonly { readonly attachments: readonly { readonly url: string }[] }[]
}

async function ask(url: string, apiKey: string, path: string): Promise<Listed> {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
  return (await response.json()) as Listed
}

describe('the command scenarios import', () => {
  it('omits old mail and keeps attachments byte for byte', async () => {
    const scenario = mailboxOf(30) as never
    const server = await startServer({ port: 0, scenario, clock: 'frozen', onUndocumented: () => undefined })
    onTestFinished(() => server.close())
    const { url } = server
    const file = await useFolder()
    const out = file('desk')
    const importing = ['scenarios', 'import', '--base-url', url, '--api-key-env', 'MAIL_KEY', '--out', out]
    const choices = ['--since', '30d', '--keep-private', '--agent', 'support']
    const outcome = await start(...importing, ...choices, '--rate', '1000').outcome
    expect(outcome).toMatchObject({ status: 0, stderr: '' })
    expect((await stat(`${out}/rows.jsonl`)).mode & 0o777).toBe(0o600)
    expect(await start('scenarios', 'check', `${out}/scenario.yaml`).outcome).toMatchObject({ status: 0 })

    const copy = await startServer({ port: 0, scenario: `${out}/scenario.yaml`, clock: 'frozen' })
    onTestFinished(() => copy.close())
    const before = await ask(url, 'rich-key', '/mail/threads?agent=support&limit=100')
    const after = await ask(copy.url, 'test-key', '/mail/threads?agent=support&limit=100')
    const latest = Date.parse(before.threads[0]?.last_message_at ?? '')
    const recent = before.threads.filter(
      ({ last_message_at: at }) => Date.parse(at) >= latest - 30 * 86_400_000,
    )
    expect(recent.length).toBeLessThan(before.threads.length)
    expect(after.threads).toEqual(recent)
    const links = async (from: string, apiKey: string): Promise<string[]> => {
      const { messages } = await ask(from, apiKey, '/mail/messages?agent=support&limit=100')
      return messages.flatMap(({ attachments }) => attachments.map((attachment) => attachment.url))
    }
    const bytesOf = async (link: string): Promise<Buffer> =>
      Buffer.from(await (await fetch(link)).arrayBuffer())
    const copies = await links(copy.url, 'test-key')
    expect(copies.length).toBeGreaterThan(0)
    const originals = new Map((await links(url, 'rich-key')).map((link) => [new URL(link).pathname, link]))
    for (const link of copies) {
      const original = originals.get(new URL(link).pathname) as string
      expect((await bytesOf(link)).equals(await bytesOf(original)), link).toBe(true)
    }
  })
})
