import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/doors/server/start-server.js'
import { importMailbox } from '../../src/live/import-mailbox.js'
import type { Fetch } from '../../src/live/service-client.js'
import { programInProcess } from '../cli/in-process.js'
import { folderOf } from '../support/temporary-folder.js'
import { type Instance, instanceOf, mailboxOf } from './instance.js'

/** Imports the mailbox of an instance in process. */
async function importing(
  { fetch, apiKey }: Pick<Instance, 'fetch' | 'apiKey'>,
  more: Partial<Parameters<typeof importMailbox>[0]> = {},
) {
  return importMailbox({
    ...{ baseUrl: 'http://mail.test', apiKey, fetch, rate: 1_000_000, agents: ['support', 'sales'] },
    ...{ wait: async () => undefined, since: undefined, keepPrivate: false, out: await folderOf() },
    ...{ choices: {}, ...more },
  })
}

type Listed = Readonly<Record<'threads' | 'messages', readonly Record<string, unknown>[]>>

async function ask(fetch: Fetch, apiKey: string, path: string): Promise<Listed> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const response = await fetch(new Request(`http://mail.test/api/v1/mail/${path}`, { headers }))
  return (await response.json()) as Listed
}

/** What a message says, without ids. */
function told({ messages }: Listed): object[] {
  return messages.map(({ from, to, subject, text, html, direction, created_at, attachments }) => {
    const names = (attachments as { filename: string; size_bytes: number }[]).map(
      (file) => `${file.filename} ${file.size_bytes}`,
    )
    return { from, to, subject, text, html, direction, created_at, names }
  })
}

describe('the command scenarios import', () => {
  it('keeps mail and files with --keep-private, in files that nobody else can read', async () => {
    const scenario = mailboxOf(20) as never
    const server = await startServer({ port: 0, scenario, clock: 'frozen' })
    onTestFinished(() => server.close())
    const out = await folderOf()
    const flags = ['--base-url', server.url, '--api-key-env', 'MAIL_KEY', '--rate', '1000', '--out', out]
    const choices = '--agent support --agent sales --keep-private --assume threads.total=page-size'.split(' ')
    const run = programInProcess({ MAIL_KEY: 'rich-key' })
    const { status, stdout, stderr } = await run('scenarios', 'import', ...flags, ...choices).outcome
    expect({ status, stderr }, stdout).toMatchObject({ status: 0 })
    expect(stdout).toMatch(/: 2 agents, 25 threads, \d+ messages, 11 webhooks\.\n/)
    expect((await stat(join(out, 'scenario.yaml'))).mode & 0o777).toBe(0o600)
    const original = await instanceOf(scenario, {})
    const copy = await instanceOf(join(out, 'scenario.yaml'), {}, 'test-key')
    expect(copy.simulator.assumptions.current()).toMatchObject({ 'threads.total': 'page-size' })
    for (const agent of ['support', 'sales']) {
      const [before, after] = await Promise.all([
        ask(original.fetch, 'rich-key', `messages?agent=${agent}&limit=100`),
        ask(copy.fetch, 'test-key', `messages?agent=${agent}&limit=100`),
      ])
      expect(told(after)).toEqual(told(before))
      const threads = await ask(copy.fetch, 'test-key', `threads?agent=${agent}&limit=100`)
      const originals = await ask(original.fetch, 'rich-key', `threads?agent=${agent}&limit=100`)
      const shown = ({ threads: rows }: Listed) =>
        rows.map(({ subject, unread, last_message_at: last }) => [subject, unread, last])
      expect(shown(threads)).toEqual(shown(originals))
    }
  })

  it('replaces people and texts', async () => {
    const message = {
      from: 'Zacharias Quimby <zacharias@quimby.example>',
      subject: 'Re: Confidential merger',
      text: 'The password is hunter2.',
      html: '<p>The <b>password</b> is hunter2.</p>',
      at: '-1h',
      attachments: ['invoice.pdf'],
    }
    const identities = [
      {
        handle: 'support',
        display_name: 'Quimby Desk',
        threads: [{ messages: [message, { ...message, at: '-30m' }] }],
      },
      { handle: 'sales' },
    ]
    const live = await instanceOf({ scenario: 'desk', identities }, {}, 'test-key')
    const { scenario } = await importing(live)
    const written = await readFile(scenario, 'utf8')
    expect(written).not.toMatch(/quimby|zacharias|merger|password|hunter2|invoice\.pdf\b.*filename: invoice/i)
    const copy = await instanceOf(scenario, {}, 'test-key')
    const { messages } = await ask(copy.fetch, 'test-key', 'messages?agent=support')
    const [first, second] = messages
    expect(first?.['from']).toMatch(/^.+ <.+@\d+\.mail\.test>$/)
    expect(first?.['from']).toBe(second?.['from'])
    expect(first?.['subject']).toMatch(/^Re: /)
  })

  it('omits threads without mail in the time of --since', async () => {
    const at = (time: string) => ({ messages: [{ from: 'Ann <ann@mail.example>', text: 'Hello', at: time }] })
    const identities = [{ handle: 'support', threads: [at('-1d'), at('-40d')] }, { handle: 'sales' }]
    const live = await instanceOf({ scenario: 'desk', identities }, {}, 'test-key')
    const { counts } = await importing(live, { since: 30 * 86_400_000 })
    expect(counts).toMatchObject({ agents: 2, threads: 1, messages: 1 })
  })

  it('keeps two braces from becoming a template', async () => {
    const message = { from: 'Ann <ann@mail.example>', text: 'Write {{person.fullName}}.', at: '-1h' }
    const identities = [
      { handle: 'support', threads: [{ messages: [{ ...message, text: 'Use { {name}} here' }] }] },
      { handle: 'sales' },
    ]
    const live = await instanceOf({ scenario: 'desk', identities }, {}, 'test-key')
    const fetch = async (request: Request) => {
      const response = await live.fetch(request)
      return new Response((await response.text()).replace('{ {name}}', '{{name}}'), {
        status: response.status,
      })
    }
    const { scenario } = await importing({ ...live, fetch }, { keepPrivate: true })
    expect(await readFile(scenario, 'utf8')).toContain('Use { {name}} here')
  })

  it('sends three requests to a service that stops answering, and names an agent that there is not', async () => {
    const live = await instanceOf(mailboxOf(2), {})
    let silent = 0
    const fetch = (request: Request) => {
      if (!request.url.includes('thread_id')) return live.fetch(request)
      silent++
      return new Promise<Response>(() => undefined)
    }
    await expect(importing({ ...live, fetch }, { timeLimit: 20 })).rejects.toThrow(
      'no whole response in time',
    )
    expect(silent).toBe(3)
    const unknown = importing(live, { agents: ['suport'] })
    await expect(unknown).rejects.toThrow('--agent suport: ')
  })
})
