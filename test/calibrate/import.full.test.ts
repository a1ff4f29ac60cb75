import { readFile, stat, writeFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/server/index.js'
import { useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { mailboxOf } from './instance.js'

const start = useProgram().with({ MAIL_KEY: 'rich-key' })

/** The number of threads imported with little memory; `npm run check:calibrate` imports more. */
const threads = Number(process.env['CALIBRATE_THREADS'] ?? 200)

interface Listed {
  readonly threads: readonly { readonly id: string; readonly last_message_at: string }[]
  readonly messages: readonly { readonly attachments: readonly { readonly url: string }[] }[]
  readonly total: number
}

async function ask(url: string, apiKey: string, path: string): Promise<Listed> {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
  return (await response.json()) as Listed
}

describe('the command scenarios import', () => {
  it('resumes after Ctrl-C, omits old mail and keeps attachments byte for byte', async () => {
    const scenario = mailboxOf(30) as never
    const server = await startServer({ port: 0, scenario, clock: 'frozen', onUndocumented: () => undefined })
    onTestFinished(() => server.close())
    const { simulator, url } = server
    const file = await useFolder()
    const out = file('desk')
    const importing = ['scenarios', 'import', '--base-url', url, '--api-key-env', 'MAIL_KEY', '--out', out]
    const choices = ['--since', '30d', '--keep-private', '--agent', 'support']
    const first = start(...importing, ...choices, '--rate', '20')
    await simulator.waitFor(({ operation }) => operation === 'messages.list', { timeout: '30s' })
    first.process.kill('SIGINT')
    expect((await first.outcome).status).toBe(1)
    expect((await stat(`${out}/.import.jsonl`)).mode & 0o777).toBe(0o600)
    const second = await start(...importing, ...choices, '--rate', '1000').outcome
    expect(second).toMatchObject({ status: 0, stderr: '' })
    await expect(stat(`${out}/.import.jsonl`)).rejects.toThrow('ENOENT')
    const asked = simulator.journal.exchanges().map(({ path, query }) => `${path}${JSON.stringify(query)}`)
    // The request in flight at Ctrl-C may be asked again.
    expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(1)
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

  it('imports a mailbox of any size in little memory', { timeout: 900_000 }, async () => {
    const readings = { 'messages.offset': 'honoured', 'messages.limit-maximum': '500' }
    const server = await startServer({
      port: 0,
      scenario: mailboxOf(threads) as never,
      readings,
      clock: 'frozen',
    })
    onTestFinished(() => server.close())
    const file = await useFolder()
    const settled = file('live.json')
    await writeFile(settled, JSON.stringify({ readings }))
    const little = start.with({ NODE_OPTIONS: '--max-old-space-size=160' })
    const asking = [
      '--base-url',
      server.url,
      '--api-key-env',
      'MAIL_KEY',
      '--readings',
      settled,
      '--rate',
      '1000',
    ]
    const { status, stdout } = await little('scenarios', 'import', ...asking, '--out', file('desk')).outcome
    expect(status).toBe(0)
    const all = await ask(server.url, 'rich-key', '/mail/messages?limit=1')
    expect(stdout).toContain(`${all.total} messages`)
    const text = await readFile(file('desk/rows.jsonl'), 'utf8')
    expect(text.split('\n').filter((line) => line.startsWith('{"model":"message"'))).toHaveLength(all.total)
  })
})
