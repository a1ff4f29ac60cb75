import type { Command } from 'commander'
import { type LogStore, openStore, type StateStart } from '../../doors/state/index.js'
import { isFolder, writeFileWhole } from '../../runs/reports/index.js'
import { Masker } from '../../service/world/masker.js'
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
    const { batches, problem = null } = logged.has(id) ? await store.read(id) : { batches: [] }
    const bytes = batches.reduce((sum, batch) => sum + Buffer.byteLength(batch), 0)
    const entries = batches.reduce((sum, batch) => sum + (JSON.parse(batch) as unknown[]).length, 0)
    worlds.push({ id, scenario, seed, entries, bytes, problem })
  }
  return worlds
}

function formatListed({ id, scenario, seed, entries, bytes, problem }: ListedLog): string {
  const damage = problem === null ? '' : `  damaged: ${problem}`
  return `${id.padEnd(12)}  ${scenario}  seed ${seed}  ${entries} entries  ${bytes} bytes${damage}\n`
}

async function entriesOf(store: LogStore, id: string): Promise<object[]> {
  const { batches, problem } = await store.read(id)
  if (problem !== undefined)
    process.stderr.write(`warning: The log of ${id} cannot be read to its end: ${problem}.\n`)
  if (batches.length === 0)
    throw new InputError(`${store.name} has no log of a world "${id}"; state list shows all of them.`)
  return batches.flatMap((batch) => JSON.parse(batch) as object[])
}

/** Prints the log of a world, with secrets masked. */
export async function showLog(id: string, flags: StateFlags): Promise<void> {
  const masker = new Masker()
  await withStore(flags, async (store) => {
    return (await entriesOf(store, id)).map((entry) => `${JSON.stringify(masker.content(entry))}\n`).join('')
  })
}

/** Writes the log of a world, with its secrets, to a file or the standard output. */
export async function exportLog(
  id: string,
  { out, ...flags }: StateFlags & { readonly out?: string },
): Promise<void> {
  await withStore(flags, async (store) => {
    const lines = (await entriesOf(store, id)).map((entry) => `${JSON.stringify(entry)}\n`).join('')
    if (out === undefined) return lines
    await checkFile(out, '--out')
    await explained(out, () => writeFileWhole(out, lines))
    return ''
  })
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
