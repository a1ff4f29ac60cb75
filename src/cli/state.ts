import { type Command, Option } from 'commander'
import type { LogStore, StateStart } from '../state/index.js'
import { Masker } from '../world/masker.js'
import { InputError } from './failure.js'
import { examplesOf, refuseArguments } from './flags.js'

interface StateFlags {
  readonly stateDir?: string
  readonly state?: string
  readonly json?: true
}

/** Returns the place of a state from flags and the environment. */
export function placeOf(directory: string | undefined, url: string | undefined) {
  const { MAILBOX_SIM_STATE_USERNAME: username, MAILBOX_SIM_STATE_PASSWORD: password } = process.env
  return { directory, url, credentials: { username, password } }
}

/** Adds the commands that look into a state. */
export function addState(program: Command): void {
  const state = program
    .command('state')
    .summary('inspect what serve --state-dir or --state has kept')
    .description(
      'Inspects what serve --state-dir or --state has kept. Without a command, the worlds are listed.',
    )
    .addHelpText('after', examplesOf('state --state-dir ./state', 'state show world_1 --state-dir ./state'))
  addPlace(state.command('list', { isDefault: true }))
    .option('--json', 'print one JSON object')
    .summary('list the worlds that have a log')
    .description('Lists the worlds that have a log, with its entries, bytes and damage.')
    .addHelpText(
      'after',
      examplesOf('state list --state-dir ./state', 'state list --state redis://127.0.0.1'),
    )
    .allowExcessArguments()
    .action((flags: StateFlags, command: Command) => {
      refuseArguments(command, ['list', 'show', 'export', 'drop'], showOf)
      return withStore(flags, (store, start) => list(store, start, flags))
    })
  addPlace(state.command('show'))
    .summary('print the log of a world, with keys and tokens masked')
    .description('Prints the log of a world, one entry per line, with keys and tokens masked.')
    .addHelpText('after', examplesOf('state show world_1 --state-dir ./state'))
    .argument('<world>', 'the id of a world, such as world_1')
    .action((id: string, flags: StateFlags) => withStore(flags, (store) => show(store, id)))
  addPlace(state.command('export'))
    .summary('export the log of a world, with keys and tokens')
    .description('Prints the log of a world as JSON, one entry per line, with its keys and tokens.')
    .addHelpText('after', examplesOf('state export world_1 --state-dir ./state --out world_1.jsonl'))
    .argument('<world>', 'the id of a world, such as world_1')
    .addOption(new Option('--out <file>', 'write to this file instead'))
    .action((id: string, flags: StateFlags & { out?: string }) =>
      withStore(flags, (store) => write(store, id, flags.out)),
    )
  addPlace(state.command('drop'))
    .summary('delete a world and its log')
    .description('Deletes a world and its log. The first world starts over.')
    .addHelpText('after', examplesOf('state drop world_2 --state-dir ./state'))
    .argument('<world>', 'the id of a world, such as world_1')
    .action((id: string, flags: StateFlags) => withStore(flags, (store) => drop(store, id)))
}

/** Suggests to show a world that is given alone. */
function showOf(argument: string): string | undefined {
  return /^world_\d+$/.test(argument) ? `show ${argument}` : undefined
}

function addPlace(command: Command): Command {
  return command
    .option('--state-dir <folder>', 'the folder of the state')
    .option('--state <url>', 'the state in Valkey or Redis: redis://host[:port][/db]')
}

async function withStore(
  { stateDir, state }: StateFlags,
  use: (store: LogStore, start: StateStart) => Promise<string>,
): Promise<void> {
  if ((stateDir === undefined) === (state === undefined)) {
    throw new InputError('Name the state with either --state-dir FOLDER or --state redis://HOST.')
  }
  const { isFolder } = await import('../reports/index.js')
  if (stateDir !== undefined && !(await isFolder(stateDir)))
    throw new InputError(`There is no folder ${stateDir}; name the folder that serve --state-dir uses.`)
  const { openStore } = await import('../state/index.js')
  const warn = (message: string): void => void process.stderr.write(`warning: ${message}\n`)
  const store = openStore({ ...placeOf(stateDir, state), warn })
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

async function list(store: LogStore, start: StateStart, { json }: StateFlags): Promise<string> {
  const logged = new Set(await store.logged())
  const records = [{ ...start, id: 'world_1' }, ...(await store.list())]
  const worlds: ListedLog[] = []
  for (const { id, scenario, seed } of records) {
    const { batches, problem = null } = logged.has(id) ? await store.read(id) : { batches: [] }
    const bytes = batches.reduce((sum, batch) => sum + Buffer.byteLength(batch), 0)
    const entries = batches.reduce((sum, batch) => sum + (JSON.parse(batch) as unknown[]).length, 0)
    worlds.push({ id, scenario, seed, entries, bytes, problem })
  }
  if (json) return `${JSON.stringify({ state: store.name, worlds })}\n`
  return worlds.map(formatListed).join('')
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

async function show(store: LogStore, id: string): Promise<string> {
  const masker = new Masker()
  return (await entriesOf(store, id)).map((entry) => `${JSON.stringify(masker.content(entry))}\n`).join('')
}

async function write(store: LogStore, id: string, out: string | undefined): Promise<string> {
  const lines = (await entriesOf(store, id)).map((entry) => `${JSON.stringify(entry)}\n`).join('')
  if (out === undefined) return lines
  const { checkFile, explained } = await import('./report-output.js')
  await checkFile(out, '--out')
  const { writeFileWhole } = await import('../reports/index.js')
  await explained(out, () => writeFileWhole(out, lines))
  return ''
}

async function drop(store: LogStore, id: string): Promise<string> {
  const record = (await store.list()).find((listed) => listed.id === id)
  if (!record && !(await store.logged()).includes(id))
    throw new InputError(`${store.name} has no world "${id}"; state list shows all of them.`)
  await store.remove(id, record?.api_key ?? '')
  return ''
}
