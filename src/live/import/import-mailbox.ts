import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { createFolder } from '../../base/create-folder.js'
import { counted, decodePercent } from '../../base/text.js'
import type { Assumptions } from '../../contract/gaps.js'
import { writeFileWhole } from '../../runs/reports/write-file.js'
import { formatInstant } from '../../service/time/time.js'
import { loadScenario } from '../../story/load.js'
import { ScenarioError } from '../../story/read/problem.js'
import { asFields, type Fields, get, words } from '../answer.js'
import { type ClientOptions, LiveError, ServiceClient } from '../service-client.js'
import { type LiveMailbox, type LiveThread, listOf, readMailbox, timeIn } from './live-mailbox.js'
import { invented, keptPrivate, type Privacy } from './privacy.js'

/** The options of an import. */
export interface ImportOptions extends Omit<ClientOptions, 'maxRequests'> {
  /** The handles of the agents. */
  readonly agents: readonly string[]
  /** How the service settles the gaps, and what of it the scenario names. */
  readonly assumptions: Assumptions
  readonly choices: Readonly<Record<string, string>>
  /** Only threads with mail within this many milliseconds before the latest mail. */
  readonly since: number | undefined
  /** Whether people, texts and files are kept. */
  readonly keepPrivate: boolean
  /** The folder to write. */
  readonly out: string
  readonly onProgress?: ((sentence: string) => void) | undefined
}

/** The result of an import. */
export interface Imported {
  /** The path of the scenario. */
  readonly scenario: string
  readonly counts: Readonly<Record<'agents' | 'threads' | 'messages' | 'webhooks', number>>
  readonly notes: readonly string[]
}

/** Imports the mailboxes of agents of a live service as a scenario. @throws LiveError, an error of the file system */
export async function importMailbox(options: ImportOptions): Promise<Imported> {
  const { agents, keepPrivate, onProgress, out } = options
  const client = new ServiceClient({ ...options, maxRequests: Number.POSITIVE_INFINITY })
  const mailboxes: LiveMailbox[] = []
  for (const agent of agents) {
    const onThread = (read: number, all: number) =>
      onProgress?.(`${agent}: ${read} of ${counted(all, 'thread')}`)
    mailboxes.push(await readMailbox(client, agent.replace(/^@/, ''), { ...options, onThread }))
  }
  const webhooks = await listOf(client, get('webhooks'), 'webhooks')
  await createFolder(out)
  const writer = new ScenarioWriter(options, await privacyOf(keepPrivate), client)
  const scenario = join(out, 'scenario.yaml')
  await writeFileWhole(scenario, stringify(await writer.write(mailboxes, webhooks), { lineWidth: 0 }))
  if (keepPrivate) await chmod(scenario, 0o600)
  await checkScenario(scenario)
  const threads = mailboxes.flatMap((mailbox) => mailbox.threads)
  const messages = threads.reduce((sum, thread) => sum + thread.messages.length, 0)
  const counts = { agents: agents.length, threads: threads.length, messages, webhooks: writer.webhooks }
  return { scenario, counts, notes: notesOf(threads, options) }
}

async function privacyOf(keepPrivate: boolean): Promise<Privacy> {
  if (keepPrivate) return keptPrivate
  const { faker } = await import('@faker-js/faker/locale/en')
  return invented(faker)
}

/** Loads what was written, as the program does later. @throws LiveError */
async function checkScenario(path: string): Promise<void> {
  try {
    await loadScenario(path)
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    throw new LiveError('unexpected', `${error.message}\nA shorter time, with --since, may help.`)
  }
}

function notesOf(threads: readonly LiveThread[], { assumptions }: ImportOptions): string[] {
  const lacking = threads.filter(({ row, messages }) => messages.length < Number(row['message_count']))
  const unread = threads.filter(({ row }) => row['unread'] === true)
  const isMarked = unread.length > 0 && assumptions['threads.unread-after-read'] === 'becomes-read'
  return [
    ...(lacking.length > 0 ? [`${counted(lacking.length, 'thread')} could not be read completely.`] : []),
    ...(isMarked ? [`The service marked ${counted(unread.length, 'thread')} as read.`] : []),
  ]
}

/** Writes mailboxes as a scenario document. */
class ScenarioWriter {
  readonly #options: ImportOptions
  readonly #privacy: Privacy
  readonly #client: ServiceClient
  #files = 0
  /** The number of webhooks that were written. */
  webhooks = 0

  constructor(options: ImportOptions, privacy: Privacy, client: ServiceClient) {
    this.#options = options
    this.#privacy = privacy
    this.#client = client
  }

  async write(mailboxes: readonly LiveMailbox[], webhooks: readonly Fields[]): Promise<object> {
    const { choices, keepPrivate } = this.#options
    const handles = mailboxes.map(({ identity }) => words(identity['agent_handle']))
    const own = webhooks.filter(({ agent_handle: handle }) => !handle || handles.includes(words(handle)))
    this.webhooks = own.length
    const rows = mailboxes.flatMap(({ threads }) => threads.map(({ row }) => row))
    const latest = Math.max(0, ...rows.map((row) => timeIn(row['last_message_at'])))
    const identities: object[] = []
    for (const mailbox of mailboxes) identities.push(await this.#identity(mailbox))
    return {
      scenario: 'imported',
      describe: `Mailboxes of a live service${keepPrivate ? '' : ', with invented people and texts'}.`,
      ...(latest > 0 && { start: formatInstant(latest + 60_000) }),
      ...(Object.keys(choices).length > 0 && { assume: choices }),
      identities,
      webhooks: own.map((webhook, index) => this.#webhook(webhook, index)),
    }
  }

  async #identity({ identity, threads }: LiveMailbox): Promise<object> {
    const { text, person } = this.#privacy
    const { agent_handle, display_name, description, mailbox_address, created_at } = identity
    const written: object[] = []
    for (const thread of threads) written.push(await this.#thread(thread))
    return {
      handle: agent_handle,
      display_name: text(words(display_name)),
      description: text(words(description)),
      mailbox_address: person(words(mailbox_address)),
      created_at,
      threads: written,
    }
  }

  async #thread({ row, messages }: LiveThread): Promise<object> {
    const written: object[] = []
    for (const message of messages) written.push(await this.#message(message))
    return {
      subject: this.#privacy.subject(words(row['subject'])),
      unread: row['unread'] === true,
      messages: written,
    }
  }

  async #message(message: Fields): Promise<object> {
    const { person, subject, text, html } = this.#privacy
    const { from, to, attachments, direction } = message
    const files: object[] = []
    for (const entry of [attachments].flat()) {
      const fields = asFields(entry)
      if (fields) files.push(await this.#file(fields))
    }
    return {
      direction: direction === 'inbound' ? 'inbound' : 'outbound',
      at: formatInstant(timeIn(message['created_at'])),
      from: person(words(from)),
      to: [to].flat().map((one) => person(words(one))),
      subject: subject(words(message['subject'])),
      ...(words(message['text']) !== '' && { text: text(words(message['text'])) }),
      ...(words(message['html']) !== '' && { html: html(words(message['html'])) }),
      ...(files.length > 0 && { attachments: files }),
    }
  }

  /** Returns the original file, if private data is kept, or else a shipped one of its kind. */
  async #file({ filename, content_type, url, download_url }: Fields): Promise<object> {
    const link = words(url ?? download_url)
    const name = words(filename) || decodePercent(link.split('/').at(-1) ?? '') || 'file.txt'
    const original = this.#options.keepPrivate && URL.canParse(link) ? await this.#original(link) : undefined
    return {
      file: original ?? shippedLike(`${words(content_type)} ${name}`),
      filename: this.#privacy.filename(name),
    }
  }

  /** Keeps a stored file of the service; undefined if it cannot be had. The key goes only to the service itself. */
  async #original(target: string): Promise<string | undefined> {
    const { baseUrl, out } = this.#options
    const key = new URL(target).origin === new URL(baseUrl).origin ? 'own' : 'none'
    const answer = await this.#client.send({ method: 'GET', target, key }).catch((error: LiveError) => {
      if (error.code === 'interrupted') throw error
    })
    if (answer?.status !== 200) return undefined
    const file = `files/${++this.#files}`
    await createFolder(join(out, 'files'))
    await writeFileWhole(join(out, file), answer.bytes)
    await chmod(join(out, file), 0o600)
    return `./${file}`
  }

  /** Returns a webhook; its token is a secret of its receiver, and its address is private. */
  #webhook({ url, events, agent_handle, has_auth_token }: Fields, index: number): object {
    return {
      url: this.#options.keepPrivate ? url : `http://127.0.0.1:8787/webhooks/${index + 1}`,
      events,
      ...(agent_handle ? { agent_handle } : {}),
      ...(has_auth_token === true && { auth_token: `token-of-webhook-${index + 1}` }),
    }
  }
}

/** Returns the name of a shipped file of a kind. */
function shippedLike(kind: string): string {
  if (/pdf/i.test(kind)) return 'invoice.pdf'
  if (/image|png|jpe?g|gif/i.test(kind)) return 'screenshot.png'
  if (/calendar|\.ics/i.test(kind)) return 'meeting.ics'
  return /csv|sheet|excel/i.test(kind) ? 'orders.csv' : 'error-log.txt'
}
