import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { readMore } from '../base/help.js'
import { parseJson } from '../base/json.js'
import { invocation } from '../base/package.js'
import { expectedOneOf } from '../base/text.js'
import type { PlayedEntry } from '../service/world/story-entry.js'
import { InputError } from './failure.js'
import { examplesOf, tokenOption } from './flags.js'
import { sanitize } from './terminal.js'

interface ReceiveFlags extends RemoteFlags {
  readonly from?: string
  readonly text?: string
  readonly thread?: string
  readonly eml?: string
}

/** Adds the command that delivers mail to a running server. */
export function addReceive(command: Command): void {
  command
    .description('Delivers mail to a running server, and prints the ids of the message and its thread.')
    .argument('<agent>', 'handle or address of the agent')
    .argument('[subject]', 'subject of the message')
    .option('--from <sender>', 'sender, e.g. "Ann <ann@example.com>"')
    .option('--text <text>', 'text of the message')
    .option('--thread <id>', 'the thread it joins')
    .option('--eml <file>', 'a complete message (RFC 5322) instead of the above options')
  addRemoteFlags(command)
    .addHelpText(
      'after',
      examplesOf('receive support "Refund?" --text "Any news?"', 'receive support --eml mail.eml'),
    )
    .action(receive)
}

async function receive(agent: string, subject: string | undefined, flags: ReceiveFlags): Promise<void> {
  const { from, text, thread: thread_id, eml } = flags
  if (eml !== undefined && [subject, from, text, thread_id].some((given) => given !== undefined)) {
    throw new InputError('--eml is a complete message; leave out the subject, --from, --text and --thread.')
  }
  const { message, thread } = await ask<{
    message: { id: string; from: string; subject: string }
    thread: { id: string }
  }>(
    flags,
    '/messages',
    eml === undefined
      ? { body: { to: agent, subject, from, text, thread_id } }
      : { query: { to: agent }, body: await readMail(eml) },
  )
  process.stdout.write(sanitize(`${message.id} from ${message.from}: ${message.subject}\nin ${thread.id}\n`))
}

async function readMail(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error: Error) => {
    throw new InputError(`--eml ${file}: ${error.message}.`)
  })
}

/** Adds the command that advances the story of a running server to an entry. */
export function addTrigger(command: Command): void {
  command
    .description(
      'Advances the clock of a running server to an entry of its timeline; everything before it happens as well. ' +
        'Without an entry, lists those still to come.',
    )
    .argument('[entry...]', 'key of the entry, or its name in the list')
  addRemoteFlags(command).addHelpText('after', examplesOf('trigger', 'trigger follow-up')).action(trigger)
}

/** The timeline of a running server. */
interface Timeline {
  readonly upcoming: readonly Pick<PlayedEntry, 'name' | 'at'>[]
  readonly played: readonly PlayedEntry[]
}

async function trigger(words: readonly string[], flags: RemoteFlags): Promise<void> {
  const { upcoming, played } = await ask<Timeline>(flags, '/timeline')
  const entry = words.join(' ')
  if (entry === '') {
    const lines = upcoming.map(({ name, at }) => `${at}  ${name}\n`)
    process.stdout.write(sanitize(lines.join('')) || 'The story has ended: no entries are left.\n')
    return
  }
  const wanted = upcoming.find(({ name }) => name === entry)
  if (!wanted) {
    const names = upcoming.map(({ name }) => name)
    throw new InputError(`No entry "${entry}" of the story is to come${expectedOneOf(entry, names, '.')}`)
  }
  await ask(flags, '/clock', { body: { to: wanted.at } })
  const after = await ask<Timeline>(flags, '/timeline')
  for (const { name, at, problem } of after.played.slice(played.length)) {
    process.stdout.write(sanitize(`${at}  ${name}${problem ? `: ${problem}` : ''}\n`))
  }
}

/** The flags that identify a running server. */
interface RemoteFlags {
  readonly url: string
  readonly token?: string
  readonly world?: string
}

/** Adds the flags that name a running server. */
function addRemoteFlags(command: Command): Command {
  const url = new Option('--url <url>', 'control API of the server')
  return command
    .addOption(url.default('http://127.0.0.1:4280/_sim').env('MAILBOX_SIM_URL').argParser(parseControlUrl))
    .addOption(tokenOption('--token', 'control token of the server'))
    .option('--world <id>', 'a world other than the first')
}

function parseControlUrl(text: string): string {
  const url = text.includes('://') ? text : `http://${text}`
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:4280.')
  const { origin, pathname } = new URL(url)
  // A proxy may serve it below another path.
  const prefix = /^(.*)\/_sim\/?$/.exec(pathname)?.[1] ?? ''
  return `${origin}${prefix}/_sim`
}

/**
 * Sends a request to the control API of a running server, with JSON or the bytes of a message. @throws InputError with its error, or if no server
 * responds
 */
async function ask<Answer>(
  { url, token, world }: RemoteFlags,
  path: string,
  { query = {}, body }: { query?: Record<string, string>; body?: object | Uint8Array } = {},
): Promise<Answer> {
  const isMail = body instanceof Uint8Array
  const headers = {
    'content-type': isMail ? 'message/rfc822' : 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  // Not in a header, which allows fewer characters than a user may type.
  const parameters = new URLSearchParams({ ...query, ...(world !== undefined && { world }) })
  const sent = body && { method: 'POST', body: isMail ? (body as BodyInit) : JSON.stringify(body) }
  const init = { headers, signal: AbortSignal.timeout(60_000), ...sent }
  const answer = await fetch(`${url}${path}?${parameters}`, init)
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((cause: Error) => {
      const { message, code } = Object(cause.cause ?? cause) as NodeJS.ErrnoException
      const why = `${url} (${message || code})`
      const remedy = `Start one with ${invocation} serve, or give the address that serve prints with --url.`
      throw new InputError(`No simulator responds at ${why}. ${remedy}${readMore('no-simulator-responds')}`, {
        cause,
      })
    })
  const parsed = parseJson(answer.text) as (Answer & { error?: { message?: string } }) | undefined
  if (parsed === undefined)
    throw new InputError(`The server at ${url} is not a simulator; give --url the address that serve prints.`)
  if (answer.status < 400) return parsed
  throw new InputError(parsed.error?.message ?? `${url}${path} responded with ${answer.status}.`)
}
