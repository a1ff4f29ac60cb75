import { open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '../../base/create-folder.js'
import { textOfHtml } from '../../mail/snippet.js'
import { lastInstant } from '../../service/model/instants.js'
import { hashText } from '../../service/time/random.js'
import { formatInstant } from '../../service/time/time.js'
import { createYielder, uniqueMark } from '../../service/time/wall-time.js'
import { loadScenario } from '../../story/load.js'
import { ScenarioError } from '../../story/problems/problem.js'
import { CalibrationError, type Fields } from '../calibrate/exchange.js'
import { Anonymizer, piecesOfText, unchanged } from './anonymizer.js'
import { LiveMailbox, type LiveMailboxOptions, timeIn, words } from './live-mailbox.js'
import { creationOrder, listOrderOf, seed } from './ordinals.js'
import { createFixtures, RowMaker, type Turn } from './row-maker.js'

/** The options of an import. */
export interface ImportOptions extends LiveMailboxOptions {
  /** The assumptions that the scenario names. */
  readonly choices: Readonly<Record<string, string>>
  /** Whether mail is kept unchanged. */
  readonly keepPrivate: boolean
  /** The folder to write. */
  readonly out: string
}

/** The result of an import. */
export interface Imported {
  readonly scenario: string
  readonly counts: Readonly<Record<'agents' | 'threads' | 'messages' | 'attachments' | 'webhooks', number>>
  readonly notes: readonly string[]
}

/** The temporary folder, beside the result; the next import deletes what a killed one leaves there. */
const unfinished = '.unfinished-import'

/**
 * Imports the mailboxes of a service as a scenario. It appears in its folder when it is complete and has been
 * loaded; otherwise the folder stays unchanged.
 * @throws CalibrationError, an error of the file system
 */
export async function importMailbox(options: ImportOptions): Promise<Imported> {
  const { out } = options
  const folder = join(out, unfinished)
  try {
    const imported = await readMailbox(options, async () => {
      await rm(folder, { recursive: true, force: true })
      await createFolder(folder)
      return folder
    })
    const scenario = join(out, scenarioFile)
    await checkScenario(join(folder, scenarioFile))
    if (options.signal?.aborted) throw new CalibrationError('interrupted', '')
    for (const name of [rowsFile, scenarioFile]) await rename(join(folder, name), join(out, name))
    return { ...imported, scenario }
  } catch (error) {
    if (!(error instanceof CalibrationError) || error.code !== 'interrupted') throw error
    const message = 'The import was interrupted; run the same command again to restart it.'
    throw new CalibrationError('interrupted', message)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Loads what was written, in the same way as the program does later. @throws CalibrationError `malformed` */
async function checkScenario(path: string): Promise<void> {
  try {
    await loadScenario(path)
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    const reasons = error.problems.slice(0, 3).map(({ file, line, key, message }) => {
      return `${file === undefined ? scenarioFile : rowsFile}:${line}: ${key}: ${message}`
    })
    throw new CalibrationError(
      'malformed',
      `No scenario can contain what the service returned, so nothing was written: ${reasons.join('; ')}.`,
    )
  }
}

const [scenarioFile, rowsFile] = ['scenario.yaml', 'rows.jsonl']

/** Reads the mailboxes, and writes them to a folder that is created once everything but attachments has been read. */
async function readMailbox(
  options: ImportOptions,
  createFolder: () => Promise<string>,
): Promise<Omit<Imported, 'scenario'>> {
  const { keepPrivate, assumptions } = options
  const live = new LiveMailbox(options)
  const { webhooks, identities } = await live.read()
  const anonymizer = keepPrivate ? undefined : new Anonymizer(hashText(uniqueMark(), 1)[0] ?? 1)
  const turn = turns(options.signal)
  if (anonymizer) await noteWords(anonymizer, live, [...identities, ...webhooks], turn)
  const identityIds = new Map(identities.map(({ agent_handle, id }) => [words(agent_handle), words(id)]))
  const people = anonymizer ?? unchanged
  const make = new RowMaker({
    live,
    assumptions,
    identityIds,
    people,
    turn,
    fixtures: await createFixtures(),
  })
  const folder = await createFolder()
  const rows = await open(join(folder, rowsFile), 'w', keepPrivate ? 0o600 : 0o644)
  try {
    const add = async (model: string, row: object): Promise<void> => {
      await rows.appendFile(`${JSON.stringify({ model, ...row })}\n`)
    }
    for (const identity of identities) await add('identity', make.identity(identity))
    for (const id of live.threadOrder) await add('thread', make.thread(id))
    for (const id of live.messageOrder) {
      for (const [model, row] of await make.message(id)) await add(model, row)
    }
    const byId = new Map(webhooks.map((webhook) => [words(webhook['id']), webhook]))
    for (const id of creationOrder([[...byId.keys()]], listOrderOf(assumptions['webhooks.order']))) {
      await add('webhook', make.webhook(byId.get(id) as Fields))
    }
  } finally {
    await rows.close()
  }
  await writeFile(join(folder, scenarioFile), scenarioText(options, live))
  const counts = {
    agents: identities.length,
    threads: live.threads.size,
    messages: live.messages.size,
    attachments: make.attachments,
    webhooks: webhooks.length,
  }
  return { counts, notes: live.notes }
}

/** Returns a function that long work calls between its steps: it lets others work. @throws CalibrationError `interrupted` */
function turns(signal: AbortSignal | undefined): Turn {
  const yieldIfDue = createYielder()
  return async () => {
    await yieldIfDue()
    if (signal?.aborted) throw new CalibrationError('interrupted', '')
  }
}

/** Notes every text, so that no invented word occurs in one of them. */
async function noteWords(
  anonymizer: Anonymizer,
  live: LiveMailbox,
  others: readonly Fields[],
  turn: Turn,
): Promise<void> {
  const note = async (value: unknown): Promise<void> => {
    if (typeof value === 'string') {
      for (const piece of piecesOfText(value)) {
        anonymizer.note(piece)
        await turn()
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const one of Object.values(value)) await note(one)
    }
  }
  for (const row of others) await note(row)
  for (const { row } of live.threads.values()) await note(row['subject'])
  for (const { row } of live.messages.values()) {
    const { from, to, subject, text, html, headers, attachments } = row as Record<string, unknown>
    await note([from, to, subject, text, html, headers, attachments])
    // Character references hide words.
    if (typeof html === 'string') await note(textOfHtml(html))
  }
}

function scenarioText({ choices, keepPrivate }: ImportOptions, { threads }: LiveMailbox): string {
  const times = [...threads.values()].map(({ row }) => timeIn(row['last_message_at']))
  const latest = times.reduce((a, b) => Math.max(a, b), 0)
  const assumptions = Object.entries(choices).map(([gap, assumption]) => `  ${gap}: '${assumption}'`)
  return [
    'scenario: imported',
    `describe: Mailboxes of a live service, imported${keepPrivate ? '' : ' with invented words'}.`,
    `seed: ${seed}`,
    `start: ${formatInstant(Math.min(latest + 60_000, lastInstant))}`,
    ...(assumptions.length > 0 ? ['assumptions:', ...assumptions] : []),
    'organization: { name: Imported, api_keys: [test-key] }',
    `rows: ./${rowsFile}`,
    '',
  ].join('\n')
}
