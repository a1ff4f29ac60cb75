import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer } from 'agent-mailbox-sim/server'
import { parse, stringify } from 'yaml'
import { startProgram } from '../cli/program.js'
import { writeInto } from '../support/temporary-folder.js'
import { apiKey, start, storyParts } from './story.js'

/** A place where a story comes from. */
export interface Source {
  readonly name: string
  /** The name of its scenario, which must not become a path or a word of a shell. */
  readonly scenario: string
  /** What it says at the gaps of its extension. */
  readonly assumptions?: Readonly<Record<string, string>>
  /** Writes its files into an empty folder; returns the path of the scenario. */
  write(folder: string, story: object): Promise<string>
}

const order = {
  subject: 'Lamp order',
  messages: [
    { from: 'Ann <ann@example.com>', at: '-3h', text: 'Where is my lamp?', attachments: ['invoice.pdf'] },
    { direction: 'outbound', at: '-2h', text: 'On its way.' },
  ],
}

// Only its old mail tells that it exists.
const archive = {
  handle: 'archive',
  threads: [{ subject: 'Old', messages: [{ from: 'Bo <bo@example.com>', at: '-80d', text: 'Long ago.' }] }],
}

const written = { identities: [{ handle: 'support', threads: [order] }, archive] }

/** Mailboxes beside those that are written down. */
const beside = (support: object) => ({ identities: [{ handle: 'support', ...support }, archive] })

async function writeYaml(folder: string, scenario: object, files: Readonly<Record<string, string>> = {}) {
  await writeInto(folder, { ...files, 'scenario.yaml': stringify(scenario) })
  return join(folder, 'scenario.yaml')
}

const extension = `import { defineExtension } from 'agent-mailbox-sim'

export default defineExtension(({ operation, gap }) => {
  const status = gap({
    id: 'desk.count-status',
    question: 'Which status does a count have?',
    assumptions: { ok: 'Answers 200.', accepted: 'Answers 202.' },
  })
  return [
    operation({
      id: 'desk.count',
      method: 'POST',
      path: '/api/v1/desk/count',
      perform({ world, settle, reply }) {
        const threads = world.threads({ agent: 'support' }).length
        return reply(settle(status, { ok: () => 200, accepted: () => 202 }), { threads })
      },
    }),
    operation({
      id: 'desk.note',
      method: 'POST',
      path: '/api/v1/desk/note',
      idempotency: () => true,
      perform({ send, render }) {
        const content = { subject: 'Note', text: 'Noted' }
        const [to, cc, bcc] = [['Ann <ann@example.com>'], ['support@agents.example'], ['audit@example.com']]
        return render.message(send({ from: 'archive', to, cc, bcc, ...content, local_delivery: true }))
      },
    }),
    operation({
      id: 'desk.answer',
      method: 'POST',
      path: '/api/v1/desk/answer',
      perform({ world, send, render }) {
        const note = world.messages({ agent: 'support' }).findLast(({ subject }) => subject === 'Note')
        const answer = { in_reply_to: note.id, headers: { 'X-Desk': '1' }, text: 'Seen', local_delivery: true, attachments: [{ filename: 'a.txt', content: 'aGk=' }] }
        return render.message(send({ from: 'support', to: world.addressesOf(note).from, ...answer }))
      },
    }),
  ]
})
`

const eml = (number: number, subject: string, more: string, body = 'Hello') =>
  `From: Ann <ann@example.com>
To: support@agents.example
Subject: ${subject}
Message-ID: <${number}@example.com>
Date: ${number} Jan 2026 10:00:00 +0000
${more}
${body}
`

const enclosed = `--part
Content-Type: text/plain

See the list.
--part
Content-Type: text/csv
Content-Disposition: attachment; filename=list.csv

lamp;1
--part--`

const mails = {
  'mail/new/1.eml': eml(1, 'Lamp', ''),
  'mail/new/2.eml': eml(2, 'Re: Lamp', 'In-Reply-To: <1@example.com>\n'),
  'mail/cur/3.eml': eml(
    3,
    '=?utf-8?Q?B=C3=BCro?=',
    'Content-Type: multipart/mixed; boundary=part\n',
    enclosed,
  ),
}

let imported: Promise<string> | undefined

/** Imports the written mailboxes from a service into a folder, which it returns. */
async function importMailboxes(folder: string): Promise<string> {
  const scenario = { scenario: 'live', start, organization: { api_keys: [apiKey] }, ...written }
  const service = await startServer({ scenario: scenario as never, port: 0, clock: 'frozen' })
  try {
    const words = ['scenarios', 'import', '--base-url', service.url, '--api-key-env', 'MAIL_KEY']
    const options = [
      '--keep-private',
      '--rate',
      '1000',
      '--out',
      folder,
      '--agent',
      'support',
      '--agent',
      'archive',
    ]
    const { status, stderr } = await startProgram([...words, ...options], { env: { MAIL_KEY: apiKey } })
      .outcome
    if (status !== 0) throw new Error(`The import ended with ${status}: ${stderr}`)
  } finally {
    await service.close()
  }
  return folder
}

export const sources: readonly Source[] = [
  {
    name: 'YAML',
    scenario: 'desk/eu',
    write: (folder, story) => writeYaml(folder, { ...story, ...written }),
  },
  {
    name: 'TypeScript',
    scenario: `it's "new" $HOME`,
    async write(folder, story) {
      const module = `import { defineScenario } from 'agent-mailbox-sim'\n\nexport default defineScenario(() => (${JSON.stringify({ ...story, ...written })}))\n`
      await writeInto(folder, { 'scenario.ts': module })
      return join(folder, 'scenario.ts')
    },
  },
  {
    name: 'imported',
    scenario: '../up',
    async write(folder, story) {
      imported ??= importMailboxes(join(folder, '../imported'))
      await cp(await imported, folder, { recursive: true })
      const own = parse(await readFile(join(folder, 'scenario.yaml'), 'utf8'))
      return writeYaml(folder, { ...own, ...story })
    },
  },
  {
    name: 'maildir',
    scenario: 'mail; false',
    write: (folder, story) => writeYaml(folder, { ...story, ...beside({ maildir: './mail' }) }, mails),
  },
  {
    name: 'extension',
    scenario: 'Büro & Co.',
    assumptions: { 'desk.count-status': 'ok' },
    write: (folder, story) =>
      writeYaml(folder, { ...story, ...written, extend: './count.ts' }, { 'count.ts': extension }),
  },
  {
    name: 'own kinds',
    scenario: '--claims',
    async write(folder, story) {
      const guide = await readFile(new URL('../../docs/scenarios.md', import.meta.url), 'utf8')
      const claims = /```yaml\n(# claims\.yaml\n[\s\S]*?)```/.exec(guide)?.[1] ?? ''
      const generate = { threads: 6, messages: [1, 4], kinds: { './claims.yaml': 1 } }
      return writeYaml(
        folder,
        { ...story, ...beside({ generate, threads: [order] }) },
        { 'claims.yaml': claims },
      )
    },
  },
]

/** Writes the scenario of a source into a folder; its deliveries go to a receiver. */
export function writeScenario(source: Source, folder: string, receiver: string): Promise<string> {
  return source.write(folder, { scenario: source.scenario, seed: 5, ...storyParts(receiver) })
}
