import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { Faker } from '@faker-js/faker'
import { stringify } from 'yaml'
import { createFolder } from '../base/create-folder.js'
import { counted, decodePercent } from '../base/text.js'
import { writeFileWhole } from '../runs/reports/write-file.js'
import { formatInstant, parseInstant } from '../service/time/time.js'
import { loadScenario } from '../story/load.js'
import { refuseWrongKey } from './calibrate/survey.js'
import {
  attachmentsOf,
  type ClientOptions,
  describeExchange,
  type Fields,
  get,
  identityRequest,
  LiveError,
  type LiveRequest,
  linkOf,
  objectOf,
  rowsOf,
  ServiceClient,
  words,
} from './service-client.js'

/** The options of an import. */
interface ImportOptions extends Omit<ClientOptions, 'maxRequests'> {
  /** The handles of the agents. */
  readonly agents: readonly string[]
  /** The assumptions that the scenario names. */
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

/** A thread of a live service, with its messages, the oldest first. */
interface LiveThread {
  readonly row: Fields
  readonly messages: readonly Fields[]
}

/**
 * Imports the mailboxes of agents of a live service as a scenario. @throws LiveError, an error of the file system, ScenarioError
 * for what no scenario can be
 */
export async function importMailbox(options: ImportOptions): Promise<Imported> {
  const { agents, choices, keepPrivate, out } = options
  const client = new ServiceClient({ ...options, maxRequests: Number.POSITIVE_INFINITY })
  const found = []
  for (const agent of agents) found.push(await identityAt(client, agent.replace(/^@/, '')))
  const handles = found.map((identity) => words(identity['agent_handle']))
  const webhooks = (await listOf(client, get('webhooks'), 'webhooks')).filter(
    ({ agent_handle: handle }) => !handle || handles.includes(words(handle)),
  )
  const mailboxes: LiveThread[][] = []
  for (const handle of handles) mailboxes.push(await readThreads(client, handle, options))
  const threads = mailboxes.flat()
  const privacy = keepPrivate
    ? keeping(await downloadFiles(client, threads, options))
    : invented((await import('@faker-js/faker/locale/en')).faker)
  const latest = Math.max(0, ...threads.map(({ row }) => timeIn(row['last_message_at'])))
  const document = {
    scenario: 'imported',
    describe: `Mailboxes of a live service${keepPrivate ? '' : ', with invented people and texts'}.`,
    ...(latest > 0 && { start: formatInstant(latest + 60_000) }),
    ...(Object.keys(choices).length > 0 && { assume: choices }),
    identities: found.map((identity, index) => identityOf(identity, mailboxes[index] ?? [], privacy)),
    webhooks: webhooks.map((webhook, index) => webhookOf(webhook, index, keepPrivate)),
  }
  const scenario = join(out, 'scenario.yaml')
  await createFolder(out)
  await writeFileWhole(scenario, stringify(document, { lineWidth: 0 }))
  if (keepPrivate) await chmod(scenario, 0o600)
  await loadScenario(scenario)
  const messages = threads.flatMap((thread) => thread.messages).length
  const lacking = threads.filter((thread) => thread.messages.length < Number(thread.row['message_count']))
  const unread = threads.filter(({ row }) => row['unread'] === true)
  return {
    scenario,
    counts: { agents: agents.length, threads: threads.length, messages, webhooks: webhooks.length },
    notes: [
      ...(lacking.length > 0 ? [`${counted(lacking.length, 'thread')} could not be read completely.`] : []),
      ...(unread.length > 0
        ? [`The service may have marked ${counted(unread.length, 'thread')} as read.`]
        : []),
    ],
  }
}

/** Reads the identity of an agent. @throws LiveError */
async function identityAt(client: ServiceClient, handle: string): Promise<Fields> {
  const found = await client.send(identityRequest(handle))
  refuseWrongKey(found)
  const identity = objectOf(found)
  if (identity) return identity
  throw new LiveError('refused', `--agent ${handle}: ${describeExchange(found)}.`)
}

/** Reads the threads of an agent, and the messages of each. @throws LiveError */
async function readThreads(
  client: ServiceClient,
  handle: string,
  { since = Number.POSITIVE_INFINITY, onProgress }: ImportOptions,
): Promise<LiveThread[]> {
  const rows = await allThreads(client, handle)
  const latest = Math.max(0, ...rows.map((row) => timeIn(row['last_message_at'])))
  const wanted = rows.filter((row) => timeIn(row['last_message_at']) >= latest - since)
  const threads: LiveThread[] = []
  for (const row of wanted) {
    // More are not listed under every assumption.
    const request = get('mail/messages', { thread_id: words(row['id']), limit: 100 })
    const messages = await listOf(client, request, 'messages')
    const ordered = messages.toSorted((a, b) => timeIn(a['created_at']) - timeIn(b['created_at']))
    threads.push({ row, messages: ordered })
    onProgress?.(`${handle}: ${threads.length} of ${counted(wanted.length, 'thread')}`)
  }
  return threads
}

/** Returns all threads of an agent, page by page, until one brings none that is new. */
async function allThreads(client: ServiceClient, agent: string): Promise<Fields[]> {
  const threads = new Map<unknown, Fields>()
  for (let before = -1; before < threads.size; ) {
    before = threads.size
    const request = get('mail/threads', { agent, limit: 100, offset: before })
    for (const row of await listOf(client, request, 'threads')) threads.set(row['id'], row)
  }
  return [...threads.values()]
}

/** Returns the rows of a list: without them, mail would be missing silently. @throws LiveError */
async function listOf(client: ServiceClient, request: LiveRequest, list: string): Promise<readonly Fields[]> {
  const answer = await client.send(request)
  refuseWrongKey(answer)
  const rows = rowsOf(answer, list)
  if (rows) return rows
  const seen = describeExchange(answer)
  throw new LiveError('failed', `${seen}: expected a list of ${list}; check --base-url.`)
}

/** Parses a time. @throws LiveError */
function timeIn(value: unknown): number {
  const instant = parseInstant(words(value))
  if (instant === undefined)
    throw new LiveError('failed', `The service returned "${value}" instead of a time.`)
  return instant
}

/**
 * Downloads the stored files of messages; returns their paths from the scenario by their addresses, without those that cannot be
 * had. The key goes only to the service itself.
 */
async function downloadFiles(
  client: ServiceClient,
  threads: readonly LiveThread[],
  { baseUrl, out }: ImportOptions,
): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const attachments = threads.flatMap(({ messages }) => messages.flatMap(attachmentsOf))
  for (const target of new Set(attachments.map(linkOf))) {
    if (!URL.canParse(target)) continue
    const key = new URL(target).origin === new URL(baseUrl).origin ? 'own' : 'none'
    const answer = await client.send({ method: 'GET', target, key }).catch((error: LiveError) => {
      if (error.code === 'interrupted') throw error
    })
    if (answer?.status !== 200) continue
    const file = `files/${files.size + 1}`
    await createFolder(join(out, 'files'))
    await writeFileWhole(join(out, file), answer.bytes)
    await chmod(join(out, file), 0o600)
    files.set(target, `./${file}`)
  }
  return files
}

function identityOf(identity: Fields, threads: readonly LiveThread[], privacy: Privacy): object {
  const { agent_handle, display_name, description, mailbox_address, created_at } = identity
  return {
    handle: agent_handle,
    display_name: privacy.text(words(display_name)),
    description: privacy.text(words(description)),
    mailbox_address: privacy.person(words(mailbox_address)),
    created_at,
    threads: threads.map(({ row, messages }) => ({
      subject: privacy.subject(words(row['subject'])),
      unread: row['unread'] === true,
      messages: messages.map((message) => messageOf(message, privacy)),
    })),
  }
}

function messageOf(message: Fields, { person, subject, text, html, file }: Privacy): object {
  const attachments = attachmentsOf(message).map((entry) => {
    const link = linkOf(entry)
    const name = words(entry['filename']) || decodePercent(link.split('/').at(-1) ?? '') || 'file.txt'
    return file(name, link, words(entry['content_type']))
  })
  return {
    direction: message['direction'] === 'inbound' ? 'inbound' : 'outbound',
    at: formatInstant(timeIn(message['created_at'])),
    from: person(words(message['from'])),
    to: [message['to']].flat().map((one) => person(words(one))),
    subject: subject(words(message['subject'])),
    ...(words(message['text']) !== '' && { text: text(words(message['text'])) }),
    ...(words(message['html']) !== '' && { html: html(words(message['html'])) }),
    ...(attachments.length > 0 && { attachments }),
  }
}

/** Returns a webhook; its token is a secret of its receiver, and its address is private. */
function webhookOf(webhook: Fields, index: number, keepPrivate: boolean): object {
  const { url, events, agent_handle, has_auth_token } = webhook
  return {
    url: keepPrivate ? url : `http://127.0.0.1:8787/webhooks/${index + 1}`,
    events,
    ...(agent_handle ? { agent_handle } : {}),
    ...(has_auth_token === true && { auth_token: `token-of-webhook-${index + 1}` }),
  }
}

/** Returns the name of a shipped file of a kind. */
function shippedLike(kind: string): string {
  if (/pdf/i.test(kind)) return 'invoice.pdf'
  if (/image|png|jpe?g|gif/i.test(kind)) return 'screenshot.png'
  if (/calendar|\.ics/i.test(kind)) return 'meeting.ics'
  return /csv|sheet|excel/i.test(kind) ? 'orders.csv' : 'error-log.txt'
}

/** The longest text that is invented, in characters. */
const longestText = 20_000

/** What becomes of the private parts of mail: a sender or recipient, such as `Ann <ann@example.com>`, texts and files. */
type Privacy = ReturnType<typeof invented>

/** Keeps everything; a scenario takes two braces for a template, so they are written with a space between them. */
function keeping(files: ReadonlyMap<string, string>): Privacy {
  const plain = (text: string): string => text.replaceAll('{{', '{ {')
  return {
    ...{ person: plain, subject: plain, text: plain, html: plain },
    file: (filename, link, type) => ({
      file: files.get(link) ?? shippedLike(`${type} ${filename}`),
      filename,
    }),
  }
}

/** Replaces people by Faker's, the same by the same, and texts by others of about their length. */
function invented(faker: Faker) {
  const people = new Map<string, { readonly name: string; readonly mailbox: string }>()
  const inventionOf = (address: string) => {
    // Each has a domain of its own, so that different people have different addresses; .test is nobody's.
    const mailbox = faker.internet.email({ provider: `${people.size + 1}.mail.test` }).toLowerCase()
    const one = { name: faker.person.fullName(), mailbox }
    people.set(address, one)
    return one
  }
  const text = (original: string): string => {
    const sentences = Math.ceil(Math.min(original.trim().length, longestText) / 45)
    return sentences === 0 ? '' : faker.lorem.sentences(sentences)
  }
  return {
    person(written: string): string {
      const [, named = '', address = written] = /^(.*?)\s*<([^<>]*)>\s*$/s.exec(written) ?? []
      const known = address.trim().toLowerCase()
      const { name, mailbox } = people.get(known) ?? inventionOf(known)
      if (!address.includes('@')) return name
      return named === '' ? mailbox : `${name} <${mailbox}>`
    },
    subject(original: string): string {
      const prefix = /^((re|fwd?|aw|wg): *)*/i.exec(original)?.[0] ?? ''
      return `${prefix}${faker.lorem.sentence(4).slice(0, -1)}`
    },
    text,
    html: (original: string) => `<p>${text(original.replace(/<[^>]*>/g, ''))}</p>`,
    file(name: string, _link: string, type: string) {
      const filename = `${faker.lorem.word()}${/\.[a-z\d]{1,5}$/i.exec(name)?.[0] ?? ''}`
      return { file: shippedLike(`${type} ${name}`), filename }
    },
  }
}
