import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { importMailbox } from '../../src/calibrate/import/import-mailbox.js'
import type { Fetch } from '../../src/calibrate/service-client.js'
import { startServer } from '../../src/server/index.js'
import { profileReadings } from '../../src/world/readings.js'
import { programInProcess } from '../cli/in-process.js'
import { folderOf } from '../support/temporary-folder.js'
import { type Instance, instanceOf, mailboxOf } from './instance.js'

async function imported(
  { fetch, apiKey }: Pick<Instance, 'fetch' | 'apiKey'>,
  readings: string,
  keepPrivate: boolean,
): Promise<{ readonly instance: Instance; readonly text: string }> {
  const out = await folderOf()
  const { scenario } = await importMailbox({
    ...{ baseUrl: 'http://mail.test', apiKey, fetch, rate: 1_000_000, agents: ['support', 'sales'] },
    ...{ readings: profileReadings(readings), choices: {}, since: undefined, keepPrivate, out },
  })
  const text = await readFile(join(out, 'rows.jsonl'), 'utf8')
  return { instance: await instanceOf(scenario, readings, 'test-key'), text }
}

async function ask(fetch: Fetch, apiKey: string, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const response = await fetch(new Request(`http://mail.test/api/v1${path}`, { headers }))
  return `${response.status} ${await response.text()}`
}

const paths = [
  '/identities/support',
  '/identities/@sales',
  '/mail/threads?agent=support&limit=100',
  '/mail/threads?agent=sales&offset=3&limit=4',
  '/mail/threads',
  '/mail/messages?limit=7',
  '/mail/messages',
  '/mail/messages?agent=support&limit=100',
  '/mail/messages?agent=sales',
]

describe('importing a mailbox', () => {
  it('uses the profile that the file of --readings extends, and --reading', async () => {
    const scenario = mailboxOf(4) as never
    const server = await startServer({ port: 0, scenario, readings: 'worst-case', clock: 'frozen' })
    onTestFinished(() => server.close())
    const folder = await folderOf({ 'live.yaml': 'extends: worst-case\n' })
    const start = programInProcess({ MAIL_KEY: 'rich-key' })
    const asking = ['--base-url', server.url, '--api-key-env', 'MAIL_KEY', '--rate', '1000']
    const files = ['--readings', join(folder, 'live.yaml'), '--out', join(folder, 'desk')]
    const one = ['--reading', 'threads.total=page-size']
    const { status, stderr } = await start('scenarios', 'import', ...asking, ...files, ...one).outcome
    expect({ status, stderr }).toMatchObject({ status: 0 })
    const copy = await instanceOf(join(folder, 'desk/scenario.yaml'), {}, 'test-key')
    const expected = { ...profileReadings('worst-case'), 'threads.total': 'page-size' }
    expect(copy.simulator.readings.current()).toEqual(expected)
  })

  it('prints how many agents, threads and messages it has written', async () => {
    const scenario = mailboxOf(1) as never
    const server = await startServer({ port: 0, scenario, clock: 'frozen' })
    onTestFinished(() => server.close())
    const start = programInProcess({ MAIL_KEY: 'rich-key' })
    const asking = [
      '--base-url',
      server.url,
      '--api-key-env',
      'MAIL_KEY',
      '--rate',
      '1000',
      '--agent',
      'support',
    ]
    const { stdout } = await start('scenarios', 'import', ...asking, '--out', await folderOf()).outcome
    expect(stdout).toMatch(/: 1 agent, \d+ threads?, \d+ messages, \d+ attachments?, \d+ webhooks?\.\n/)
  })

  it('says how to start over after an interruption, and leaves no mail', async () => {
    const { fetch, apiKey } = await instanceOf(mailboxOf(1), 'default', 'rich-key')
    const interruption = new AbortController()
    const out = await folderOf()
    const interrupting: Fetch = (request) => {
      interruption.abort()
      return fetch(request)
    }
    const importing = importMailbox({
      ...{ baseUrl: 'http://mail.test', apiKey, fetch: interrupting, rate: 1_000_000, agents: [] },
      ...{ readings: profileReadings('default'), choices: {}, since: undefined, keepPrivate: false },
      ...{ out, signal: interruption.signal },
    })
    await expect(importing).rejects.toThrow(/interrupted.*run the same command again to start it over/)
    expect(await readdir(out)).toEqual([])
  })

  it('serves the same bytes under the same readings if mail is unchanged', async () => {
    for (const readings of ['default', 'worst-case', 'seed:2', 'seed:3', 'seed:6']) {
      const original = await instanceOf(mailboxOf(16), readings)
      const before = await Promise.all(paths.map((path) => ask(original.fetch, 'rich-key', path)))
      const { instance } = await imported(original, readings, true)
      const after = await Promise.all(paths.map((path) => ask(instance.fetch, 'test-key', path)))
      for (const [index, path] of paths.entries())
        expect(after[index], `${readings}: ${path}`).toBe(before[index])
    }
  })

  it('replaces words, names, addresses, numbers and links and keeps the rest', async () => {
    const original = await instanceOf(mailboxOf(16), 'default')
    const messages = await ask(original.fetch, 'rich-key', '/mail/messages?limit=100')
    const { instance, text } = await imported(original, 'default', false)
    const body = JSON.parse(messages.slice(4)) as { messages: Record<string, string>[] }
    const told = body.messages.flatMap((message) => {
      const words = [message['text'], message['from'], message['subject']].join(' ')
      return words.match(/[\p{L}]{5,}|\d{5,}|[^\s<>]+@[^\s<>]+/gu) ?? []
    })
    const texts = text.split('\n').flatMap((line) => {
      const {
        from,
        to,
        subject,
        text: words,
        html,
        display_name,
        description,
        url,
        filename,
        mailbox_address,
      } = line === '' ? {} : JSON.parse(line)
      return [
        from,
        to,
        subject,
        words,
        html,
        display_name,
        description,
        url,
        filename,
        mailbox_address,
      ].flat()
    })
    const found = new Set(
      texts
        .join(' ')
        .toLowerCase()
        .match(/[\p{L}]{5,}|\d{5,}|[^\s<>"]+@[^\s<>"]+/gu),
    )
    const kept = [...new Set(told.map((word) => word.toLowerCase()))].filter((word) => found.has(word))
    expect(kept.filter((word) => word !== 'https')).toEqual([])
    const facts = (answer: string): unknown => {
      const { threads } = JSON.parse(answer.slice(4)) as { threads: Record<string, unknown>[] }
      return threads.map(({ id, unread, message_count, created_at }) => [
        id,
        unread,
        message_count,
        created_at,
      ])
    }
    const threads = '/mail/threads?agent=support&limit=100'
    const was = facts(await ask(original.fetch, 'rich-key', threads))
    expect(facts(await ask(instance.fetch, 'test-key', threads))).toEqual(was)
  })

  it('makes HTML from the replaced text, or from the visible words if there is no text', async () => {
    const html =
      '<p title="Zwirbel">Zwirbel &amp; <b>&#122;wirbel</b><br><!-- Zwirbel --></p><style>zwirbel {}</style>'
    const messages = [
      { from: 'Ann <ann@mail.example>', at: '-3h', text: 'Zwirbel & Co\n<zwirbel@mail.example>', html },
      { from: 'Ann <ann@mail.example>', at: '-2h', html },
      { from: 'Ann <ann@mail.example>', at: '-1h', text: 'Zwirbel' },
    ]
    const identities = [{ handle: 'support', threads: [{ messages }] }, { handle: 'sales' }]
    const original = await instanceOf({ scenario: 'desk', identities }, 'default')
    const { instance, text } = await imported({ ...original, apiKey: 'test-key' }, 'default', false)
    expect(text).not.toMatch(/zwirbel|mail\.example/i)
    const answer = await ask(instance.fetch, 'test-key', '/mail/messages')
    const shown = (JSON.parse(answer.slice(4)) as { messages: { html: string }[] }).messages
    expect(shown.map((message) => message.html)).toEqual([
      '',
      expect.stringMatching(/^<p>[A-Z]\w{6} &#38; [a-z]{7}<\/p>$/),
      expect.stringMatching(/^<p>[A-Z]\w{6} &#38; [A-Z][a-z]<br>\n&#60;\w{7}@\w{4}\.test&#62;<\/p>$/),
    ])
  })

  it('leaves no word in parameters of types or comments of dates', async () => {
    const type = 'text/calendar; name="Zwirbel.ics"; method=REQUEST'
    const headers = { date: 'Mon, 5 Jan 2026 09:00:00 +0000 (Zwirbel)', 'content-type': type }
    const messages = [{ from: 'Ann <ann@mail.example>', text: 'Hello', attachments: ['invoice.pdf'] }]
    const identities = [{ handle: 'support', threads: [{ messages }] }, { handle: 'sales' }]
    const original = await instanceOf({ scenario: 'desk', identities }, 'default')
    const fetch: Fetch = async (request) => {
      const response = await original.fetch(request)
      if (!request.url.includes('/mail/messages')) return response
      const body = (await response.json()) as { messages: { attachments: object[] }[] }
      const changed = body.messages.map((message) => {
        const attachments = message.attachments.map((file) => ({ ...file, content_type: type }))
        return { ...message, attachments, headers }
      })
      return Response.json({ ...body, messages: changed })
    }
    const { text } = await imported({ fetch, apiKey: 'test-key' }, 'default', false)
    expect(text).not.toMatch(/zwirbel/i)
    expect(text).toContain('"content_type":"text/calendar"')
    expect(text).toContain('Mon, 5 Jan 2026 09:00:00 +0000 (')
  })
})
