import { once } from 'node:events'
import type { Command } from 'commander'
import type { LogStore } from '../../doors/state/log-store.js'
import { openStore } from '../../doors/state/open-state.js'
import type { StateStart } from '../../doors/state/state-start.js'
import { isFolder, writeFileWhole } from '../../runs/reports/write-file.js'
import { Masker } from '../../service/record/masker.js'
import { InputError } from '../failure.js'
import { checkFile, explained } from '../report-output.js'
import { refuseArguments } from './arguments.js'

interface StateFlags {
  readonly stateDir?: string
  readonly state?: string
  readonly json?: true
}

/** Returns the place of a state from flags and the environment. */
export function statePlace(directory: string | undefined, url: string | undefined) {
  const { MAILBOX_SIM_STATE_USERNAME: username, MAILBOX_SIM_STATE_PASSWORD: password } = process.env
  // LevelDB creates files that everybody may read, as long as the process runs.
  if (directory !== undefined) process.umask(0o077)
  return { directory, url, credentials: { username, password } }
}

/** Suggests to show a world that is given alone. */
function showOf(argument: string): string | undefined {
  return /^world_\d+$/.test(argument) ? `show ${argument}` : undefined
}

async function withStore(
  { stateDir, state }: StateFlags,
  use: (store: LogStore, start: StateStart) => Promise<string>,
): Promise<void> {
  if ((stateDir === undefined) === (state === undefined)) {
    throw new InputError('Name the state with either --state-dir FOLDER or --state redis://HOST.')
  }
  if (stateDir !== undefined && !(await isFolder(stateDir)))
    throw new InputError(`There is no folder ${stateDir}; name the folder that serve --state-dir uses.`)
  const warn = (message: string): void => void process.stderr.write(`warning: ${message}\n`)
  const store = openStore({ ...statePlace(stateDir, state), warn })
  try {
    const start = await store.start()
    if (!start) throw new InputError(`${store.name} has no state yet; run serve with the same flag first.`)
    process.stdout.write(await use(store, start))
  } finally {
    await store.close()
  }
}

interface ListedLog {
  readonly id: string
  readonly scenario: string
  readonly seed: number
  readonly entries: number
  readonly bytes: number
  readonly problem: string | null
}

/** Lists the worlds that have a log. */
export async function listWorlds(flags: StateFlags, command: Command): Promise<void> {
  refuseArguments(command, ['list', 'show', 'export', 'drop'], showOf)
  await withStore(flags, async (store, start) => {
    const worlds = await logsIn(store, start)
    return flags.json
      ? `${JSON.stringify({ state: store.name, worlds })}\n`
      : worlds.map(formatListed).join('')
  })
}

async function logsIn(store: LogStore, start: StateStart): Promise<ListedLog[]> {
  const logged = new Set(await store.logged())
  const records = [{ ...start, id: 'world_1' }, ...(await store.list())]
  const worlds: ListedLog[] = []
  for (const { id, scenario, seed } of records) {
    const log = logged.has(id) ? await store.read(id) : undefined
    let [entries, bytes] = [0, 0]
    for await (const batch of log?.batches() ?? []) {
      bytes += Buffer.byteLength(batch)
      entries += (JSON.parse(batch) as unknown[]).length
    }
    worlds.push({ id, scenario, seed, entries, bytes, problem: log?.problem ?? null })
  }
  return worlds
}

function formatListed({ id, scenario, seed, entries, bytes, problem }: ListedLog): string {
  const damage = problem === null ? '' : `  damaged: ${problem}`
  return `${id.padEnd(12)}  ${scenario}  seed ${seed}  ${entries} entries  ${bytes} bytes${damage}\n`
}

/** Yields the entries of a log as lines of JSON. */
async function* linesOf(
  store: LogStore,
  id: string,
  show: (entry: object) => unknown,
): AsyncGenerator<string> {
  const { batches, length, problem } = await store.read(id)
  if (problem !== undefined)
    process.stderr.write(`warning: The log of ${id} cannot be read to its end: ${problem}.\n`)
  if (length === 0)
    throw new InputError(`${store.name} has no log of a world "${id}"; state list shows all of them.`)
  for await (const batch of batches()) {
    for (const entry of JSON.parse(batch) as object[]) yield `${JSON.stringify(show(entry))}\n`
  }
}

/** Prints the log of a world, with secrets masked. */
export async function showLog(id: string, flags: StateFlags): Promise<void> {
  const masker = new Masker()
  await withStore(flags, (store) => printed(linesOf(store, id, (entry) => masker.content(entry))))
}

/** Writes the log of a world, with its secrets, to a file or the standard output. */
export async function exportLog(
  id: string,
  { out, ...flags }: StateFlags & { readonly out?: string },
): Promise<void> {
  await withStore(flags, async (store) => {
    const lines = linesOf(store, id, (entry) => entry)
    if (out === undefined) return printed(lines)
    await checkFile(out, '--out')
    await explained(out, () => writeFileWhole(out, lines))
    return ''
  })
}

/** Prints lines as they come. */
async function printed(lines: AsyncIterable<string>): Promise<''> {
  for await (const line of lines) {
    if (!process.stdout.write(line)) await once(process.stdout, 'drain')
  }
  return ''
}

/** Deletes a world and its log. */
export async function dropWorld(id: string, flags: StateFlags): Promise<void> {
  await withStore(flags, async (store) => {
    const record = (await store.list()).find((listed) => listed.id === id)
    if (!record && !(await store.logged()).includes(id))
      throw new InputError(`${store.name} has no world "${id}"; state list shows all of them.`)
    await store.remove(id, record?.api_key ?? '')
    return ''
  })
}
