import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { assumptionsOf } from '../../src/contract/gaps.js'
import { startServer } from '../../src/doors/server/start-server.js'
import type { Fetch } from '../../src/live/calibrate/service-client.js'
import { profileAssumptions } from '../../src/service/assumptions/assumptions.js'
import { programInProcess } from '../cli/in-process.js'
import { folderOf } from '../support/temporary-folder.js'
import { type ImportChoices, importing } from './importing.js'
import { type Instance, instanceOf, mailboxOf } from './instance.js'

/** Imports a mailbox; returns its rows, and an instance that serves them. */
async function imported(
  { agents = ['support', 'sales'], ...original }: Pick<Instance, 'fetch' | 'apiKey'> & ImportChoices,
  assumptions = 'default',
  keepPrivate = false,
) {
  const out = await folderOf()
  const options = { assumptions: profileAssumptions(assumptions), keepPrivate, agents, out }
  const { scenario } = await importing(original, options)
  const text = await readFile(join(out, 'rows.jsonl'), 'utf8')
  return { instance: await instanceOf(scenario, assumptions, 'test-key'), text }
}

/** Returns the instance of two agents, one of which has some messages in a thread. */
function instanceWith(messages: readonly object[]): Promise<Instance> {
  const identities = [{ handle: 'support', threads: [{ messages }] }, { handle: 'sales' }]
  return instanceOf({ scenario: 'desk', identities }, 'default', 'test-key')
}

/** Returns a desk with a busy agent, and another one whose mail is older than its latest hundred messages. */
function deskWith(quiet: object): object {
  const message = (at: string) => ({ from: 'Ann <ann@mail.example>', text: 'Hello', at })
  const threads = Array.from({ length: 101 }, (_, index) => ({ messages: [message(`-${index + 1}m`)] }))
  const old = [{ messages: [message('-90d'), message('-89d')] }, { messages: [message('-88d')] }]
  return {
    scenario: 'desk',
    identities: [
      { handle: 'support', threads },
      { ...quiet, threads: old },
    ],
  }
}

/** Returns every combination of the assumptions that decide what a service shows of its mail as a whole. */
function everyListing(): Record<string, string>[] {
  return assumptionsOf('threads.unscoped').flatMap(({ name: unscoped }) => {
    return assumptionsOf('messages.offset').flatMap(({ name: offset }) => {
      const total = offset === 'honoured' ? 'page-size' : 'all-matches'
      return { 'threads.unscoped': unscoped, 'messages.offset': offset, 'messages.total': total }
    })
  })
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
  it('uses the profile that the file of --assume extends, and --assume', async () => {
    const scenario = mailboxOf(4) as never
    const server = await startServer({ port: 0, scenario, assume: 'worst-case', clock: 'frozen' })
    onTestFinished(() => server.close())
    const folder = await folderOf({ 'live.yaml': 'extends: worst-case\n' })
    const { status, stdout, stderr } = await programInProcess({ MAIL_KEY: 'rich-key' })(
      ...['scenarios', 'import', '--base-url', server.url, '--api-key-env', 'MAIL_KEY', '--rate', '1000'],
      ...['--assume', join(folder, 'live.yaml'), '--assume', 'threads.total=page-size'],
      ...['--agent', 'support', '--out', join(folder, 'desk')],
    ).outcome
    expect({ status, stderr }).toMatchObject({ status: 0 })
    expect(stdout).toMatch(/: 1 agent, \d+ threads?, \d+ messages, \d+ attachments?, \d+ webhooks?\.\n/)
    const copy = await instanceOf(join(folder, 'desk/scenario.yaml'), {}, 'test-key')
    const expected = { ...profileAssumptions('worst-case'), 'threads.total': 'page-size' }
    expect(copy.simulator.assumptions.current()).toEqual(expected)
  })

  it('says how to start over after an interruption, and leaves no mail', async () => {
    const { fetch, apiKey } = await instanceOf(mailboxOf(1), 'default')
    const interruption = new AbortController()
    const out = await folderOf()
    const interrupting: Fetch = (request) => {
      interruption.abort()
      return fetch(request)
    }
    const { signal } = interruption
    await expect(importing({ fetch: interrupting, apiKey }, { out, signal })).rejects.toThrow(
      /interrupted.*run the same command again to restart it/,
    )
    expect(await readdir(out)).toEqual([])
  })

  it('leaves the folder as it was if it is interrupted while it downloads attachments', async () => {
    const mail = {
      from: 'Ann <ann@mail.example>',
      text: 'Hello',
      attachments: ['invoice.pdf', 'meeting.ics'],
    }
    const { fetch, apiKey } = await instanceWith([mail])
    const out = await folderOf({ 'scenario.yaml': 'scenario: old', 'rows.jsonl': 'old' })
    const interruption = new AbortController()
    let downloads = 0
    const interrupting: Fetch = async (request) => {
      if (request.url.includes('/att_') && ++downloads === 2) interruption.abort()
      return fetch(request)
    }
    const options = { out, keepPrivate: true, signal: interruption.signal }
    await expect(importing({ fetch: interrupting, apiKey }, options)).rejects.toMatchObject({
      code: 'interrupted',
    })
    expect(downloads).toBe(2)
    expect((await readdir(out)).toSorted()).toEqual(['rows.jsonl', 'scenario.yaml'])
    expect(await readFile(join(out, 'rows.jsonl'), 'utf8')).toBe('old')
    await importing({ fetch, apiKey }, { out, keepPrivate: true })
    expect((await readdir(out)).toSorted()).toEqual(['rows.jsonl', 'scenario.yaml'])
    expect(await readFile(join(out, 'rows.jsonl'), 'utf8')).toContain('meeting.ics')
  })

  it('writes only what loads: mail of the year 9999 does, and otherwise it says what does not', async () => {
    const message = { from: 'Ann <ann@mail.example>', text: 'Hello', at: '9999-12-31T23:59:50Z' }
    const identities = [{ handle: 'support', threads: [{ messages: [message] }] }]
    const start = '9999-12-31T23:59:58Z'
    const original = await instanceOf({ scenario: 'late', start, identities }, 'default', 'test-key')
    const { instance } = await imported({ ...original, agents: ['support'] })
    const list = await ask(instance.fetch, 'test-key', '/mail/threads')
    expect(list).toContain('"last_message_at":"9999-12-31T23:59:50.000Z"')
    const refused: Fetch = async (request) => {
      const text = await (await original.fetch(request)).text()
      return new Response(text.replaceAll('"agent_handle":"support"', '"agent_handle":"sup port"'))
    }
    const out = await folderOf()
    const options = { out, agents: ['support'] }
    await expect(importing({ ...original, fetch: refused }, options)).rejects.toMatchObject({
      code: 'malformed',
      message: expect.stringMatching(
        /so nothing was written: rows\.jsonl:1: identity\.agent_handle: expected/,
      ),
    })
    expect(await readdir(out)).toEqual([])
  })

  it('is complete after a temporary 503, and stops at a list that fails', async () => {
    const original = await instanceOf(mailboxOf(8), 'default')
    const { counts } = await importing(original)
    const unavailable = () => new Response('<html>Back soon</html>', { status: 503 })
    let asked = 0
    const flaky: Fetch = async (request) => (++asked % 3 === 0 ? unavailable() : original.fetch(request))
    expect((await importing({ ...original, fetch: flaky })).counts).toEqual(counts)
    for (const answer of [unavailable, () => new Response('<html>Welcome</html>'), () => Response.json({})]) {
      const failing: Fetch = async (request) => {
        return request.url.includes('/mail/messages') ? answer() : original.fetch(request)
      }
      await expect(importing({ ...original, fetch: failing })).rejects.toMatchObject({
        code: 'unexpected',
        message: expect.stringContaining('expected a list of messages'),
      })
    }
  })

  it('finds every agent under any assumptions, or says that some may be missing', async () => {
    const desk = deskWith({ handle: 'quiet', mailbox_address: 'quiet@agents.example' })
    let found = 0
    for (const assumptions of everyListing()) {
      const live = await instanceOf(desk, assumptions, 'test-key')
      // Whoever imports may not know the assumptions.
      const result = await importing(live, { agents: [] }).catch((error: Error) => error)
      const name = JSON.stringify(assumptions)
      if (result instanceof Error)
        expect(result.message, name).toMatch(/^The service has 3 messages of agents that/)
      else if (result.counts.agents === 2) found++
      else expect(result.notes, name).toEqual([expect.stringContaining('may be missing; if so, name every')])
    }
    // All where threads are listed without a filter, or messages with an offset.
    expect(found).toBe(3 + 2)
  })

  it('refuses mail whose agent cannot be found, and imports agents by name', async () => {
    const desk = deskWith({ handle: 'x7', mailbox_address: 'quiet@agents.example' })
    for (const assumptions of everyListing()) {
      const live = await instanceOf(desk, assumptions, 'test-key')
      const options = { assumptions: live.simulator.assumptions.current() }
      const result = await importing(live, { ...options, agents: [] }).catch((error: Error) => error)
      const name = JSON.stringify(assumptions)
      if (result instanceof Error) {
        const what =
          /^The service has (2 threads|3 messages) of agents that could not be found( \(mail of .*\))?; /
        expect(result.message, name).toMatch(what)
        if (result.message.includes('threads'))
          expect(result.message, name).toContain('(mail of quiet@agents.example)')
        expect(result.message, name).toMatch(/found: support\. .* with --agent HANDLE\.$/)
      } else expect(result.notes, name).toEqual([expect.stringContaining('may be missing')])
    }
    const live = await instanceOf(desk, 'default', 'test-key')
    const { counts } = await importing(live, { agents: ['support', '@x7'] })
    expect(counts).toMatchObject({ agents: 2, threads: 103, messages: 104 })
  })

  it('serves the same bytes under the same assumptions if mail is unchanged', async () => {
    for (const assumptions of ['default', 'worst-case', 'seed:6']) {
      const original = await instanceOf(mailboxOf(16), assumptions)
      const before = await Promise.all(paths.map((path) => ask(original.fetch, 'rich-key', path)))
      const { instance } = await imported(original, assumptions, true)
      const after = await Promise.all(paths.map((path) => ask(instance.fetch, 'test-key', path)))
      for (const [index, path] of paths.entries())
        expect(after[index], `${assumptions}: ${path}`).toBe(before[index])
      // All are of one instant, and their tokens are replaced.
      const webhooks = async (fetch: Fetch, apiKey: string): Promise<string[] | null> => {
        return (await ask(fetch, apiKey, '/webhooks')).match(/"id":"[^"]+"/g)
      }
      const expected = await webhooks(original.fetch, 'rich-key')
      expect(expected?.length, assumptions).toBe(11)
      expect(await webhooks(instance.fetch, 'test-key'), assumptions).toEqual(expected)
    }
  })

  it('replaces words, names, addresses, numbers and links and keeps the rest', async () => {
    const original = await instanceOf(mailboxOf(16), 'default')
    const { instance, text } = await imported(original)
    const words = /\p{L}{5,}|\d{5,}|[^\s<>",]+@[^\s<>",]+/gu
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const shown = rows.map(({ from, to, subject, text, html, display_name, description, url, filename }) => {
      return [from, to, subject, text, html, display_name, description, url, filename].join(' ')
    })
    const found = new Set(shown.join(' ').toLowerCase().match(words))
    const answer = await ask(original.fetch, 'rich-key', '/mail/messages?limit=100')
    const { messages } = JSON.parse(answer.slice(4)) as { messages: Record<string, string>[] }
    const told = messages
      .map(({ text, from, subject }) => `${text} ${from} ${subject}`)
      .join(' ')
      .toLowerCase()
    const kept = [...new Set(told.match(words))].filter((word) => found.has(word) && word !== 'https')
    expect(kept).toEqual([])
    const facts = async (fetch: Fetch, apiKey: string): Promise<unknown> => {
      const list = await ask(fetch, apiKey, '/mail/threads?agent=support&limit=100')
      const { threads } = JSON.parse(list.slice(4)) as { threads: Record<string, unknown>[] }
      return threads.map(({ id, unread, message_count, created_at }) => [
        id,
        unread,
        message_count,
        created_at,
      ])
    }
    expect(await facts(instance.fetch, 'test-key')).toEqual(await facts(original.fetch, 'rich-key'))
  })

  it('makes HTML from the replaced text, or from the visible words if there is no text', async () => {
    const html =
      '<p title="Zwirbel">Zwirbel &amp; <b>&#122;wirbel</b><br><!-- Zwirbel --></p><style>zwirbel {}</style>'
    const messages = [
      { from: 'Ann <ann@mail.example>', at: '-3h', text: 'Zwirbel & Co\n<zwirbel@mail.example>', html },
      { from: 'Ann <ann@mail.example>', at: '-2h', html },
      { from: 'Ann <ann@mail.example>', at: '-1h', text: 'Zwirbel' },
    ]
    const { instance, text } = await imported(await instanceWith(messages))
    expect(text).not.toMatch(/zwirbel|mail\.example/i)
    const answer = await ask(instance.fetch, 'test-key', '/mail/messages')
    const shown = (JSON.parse(answer.slice(4)) as { messages: { html: string }[] }).messages
    expect(shown.map((message) => message.html)).toEqual([
      '',
      expect.stringMatching(/^<p>[A-Z]\w{6} &#38; [a-z]{7}<\/p>$/),
      expect.stringMatching(/^<p>[A-Z]\w{6} &#38; [A-Z][a-z]<br>\n&#60;\w{7}@\w{4}\.test&#62;<\/p>$/),
    ])
  })

  it('invents no word that only the HTML of another mail has', async () => {
    const consonants = [...'bdfgklmnprstvz']
    const syllables = consonants.flatMap((consonant) => [...'aeiou'].map((vowel) => consonant + vowel))
    // Half of all words that could be invented for four letters; plain, or with a character reference.
    const words = syllables.flatMap((first) => syllables.map((second) => first + second))
    // The name of a header field.
    const originals = words.filter((word) => word !== 'date')
    const isPlain = (word: string): boolean => 'bdfgklm'.includes(word.charAt(0))
    const html = originals.map((word) => {
      return isPlain(word) ? word : `&#${word.charCodeAt(0)};${word.slice(1)}`
    })
    const other =
      'Wozu will Karl heut noch vier sehr alte rote Fass Wein oder Bier haben, wenn kein Gast kommt'
    const messages = [
      { from: 'A <a@b.c>', at: '-2h', html: `<p>${html.join(' ')}</p>` },
      { from: 'A <a@b.c>', at: '-1h', text: other },
    ]
    const { text } = await imported(await instanceWith(messages))
    const written = new Set(text.match(/(?<=[\s">])[a-z]{4}(?=[\s"<])/g))
    expect(written.size).toBeGreaterThan(1000)
    expect(originals.filter((word) => written.has(word))).toEqual([])
  })

  it('leaves no word in parameters of types or comments of dates', async () => {
    const type = 'text/calendar; name="Zwirbel.ics"; method=REQUEST'
    const headers = { date: 'Mon, 5 Jan 2026 09:00:00 +0000 (Zwirbel)', 'content-type': type }
    const messages = [{ from: 'Ann <ann@mail.example>', text: 'Hello', attachments: ['invoice.pdf'] }]
    const original = await instanceWith(messages)
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
    const { text } = await imported({ ...original, fetch })
    expect(text).not.toMatch(/zwirbel/i)
    expect(text).toContain('"content_type":"text/calendar"')
    expect(text).toContain('Mon, 5 Jan 2026 09:00:00 +0000 (')
  })
})
