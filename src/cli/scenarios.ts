import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'
import type { Command } from 'commander'
import { invocation, packageRoot } from '../base/package.js'
import { counted, formatCommand } from '../base/text.js'
import { summarize, type WorldSummary } from '../doors/controls/world-view.js'
import type { Style } from '../runs/reports/report.js'
import { digestOf } from '../service/world/digest.js'
import { World } from '../service/world/world.js'
import { createScenarioJsonSchema } from '../story/format/scenario.js'
import type { LoadOptions } from '../story/load.js'
import { loadScenario } from '../story/load.js'
import { describeShipped, readScenario, type ShippedScenario } from '../story/read/read-scenario.js'
import { refuseArguments } from './arguments.js'
import { ExitError, exitStatus, formatFailure, InputError, isBadInput, problemsOf } from './failure.js'
import { examplesOf, seedOption } from './flags.js'
import { addImport } from './import.js'
import { formatSummary, sanitize, styleFor, withLoadingLine } from './terminal.js'

/** Adds the commands that help to write scenarios. */
export function addScenarios(scenarios: Command): void {
  scenarios
    .description(
      'A scenario says how a world starts, what happens over time, and what must be true at the end. ' +
        'Without a command, the shipped scenarios are listed.',
    )
    .usage('[list | check <file...> | schema | new <file> | import] [options]')
    .addHelpText('after', `\n${examples}`)
  addList(scenarios)
  addCheck(scenarios)
  addSchema(scenarios)
  addNew(scenarios)
  addImport(scenarios.command('import'))
}

const examples = `Examples:
  ${invocation} scenarios                                 every shipped scenario, and what it contains
  ${invocation} scenarios new my-inbox.yaml               a short file with comments, to start from
  ${invocation} scenarios check my-inbox.yaml             what is in it, or everything wrong with it
  ${invocation} scenarios schema > scenario.schema.json   for editors: completion and explanations
  ${invocation} serve my-inbox.yaml --watch               reloads it whenever it is saved
  ${invocation} scenarios import --help                   a mailbox of a live service as a scenario`

/** Adds the command that lists the scenarios that ship with the simulator. */
function addList(scenarios: Command): void {
  scenarios
    .command('list', { isDefault: true })
    .summary('list the scenarios that ship with the simulator')
    .description('Lists the scenarios that ship with the simulator, and what each contains.')
    .option('--json', 'print one JSON object: {"scenarios": [{name, describe}]}')
    .allowExcessArguments()
    .addHelpText('after', examplesOf('scenarios list', 'scenarios list --json'))
    .action(listScenarios)
}

function addCheck(scenarios: Command): void {
  scenarios
    .command('check')
    .summary('load scenarios completely; show what is in them, or their problems')
    .description(
      'Loads each scenario completely: its mail, its files, its timeline. Prints what is in it, with a digest ' +
        'that is the same on every machine, or its problems, those of its format first. The exit status is 2 if there is a problem.',
    )
    .argument('<file...>', 'files, or names of shipped scenarios')
    .addOption(seedOption())
    .option('--json', 'print one JSON object per scenario, each on a line')
    .addHelpText(
      'after',
      examplesOf('scenarios check my-inbox.yaml', 'scenarios check stories/*.yaml --json'),
    )
    .action(checkScenarios)
}

/** Adds the command that prints the format of scenarios as JSON Schema. */
function addSchema(scenarios: Command): void {
  scenarios
    .command('schema')
    .summary('print the format of scenario files as JSON Schema')
    .description(
      'Prints the format of scenario files as JSON Schema (2020-12). Editors use it to complete, explain and ' +
        'check them.',
    )
    .addHelpText('after', `\n${example}`)
    .action(printSchema)
}

const example = `Example:
  ${invocation} scenarios schema > scenario.schema.json

Then make this the first line of a scenario in the same folder:
  # yaml-language-server: $schema=./scenario.schema.json`

/** Adds the command that writes a first scenario. */
function addNew(scenarios: Command): void {
  scenarios
    .command('new')
    .summary('write a short scenario to start from')
    .description(
      'Writes a short scenario to start from, which a careful agent passes: .yaml and .ts with comments, .json ' +
        'without. An existing file is not overwritten.',
    )
    .argument('<file>', 'a new .yaml, .json or .ts file')
    .addHelpText('after', examplesOf('scenarios new my-inbox.yaml'))
    .action(writeStarter)
}

/** Lists the scenarios that ship. */
async function listScenarios(flags: { readonly json?: true }, command: Command): Promise<void> {
  refuseArguments(command, ['list', 'check', 'schema', 'new', 'import'])
  const scenarios = await describeShipped()
  const text = flags.json ? JSON.stringify({ scenarios }) : formatList(scenarios, styleFor(process.stdout))
  process.stdout.write(`${text}\n`)
}

function formatList(scenarios: readonly ShippedScenario[], style: Style): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  const lines = scenarios.map(({ name, describe }) => `${style.strong(name.padEnd(width))}  ${describe}`)
  return [
    style.faint(`${'scenario'.padEnd(width)}  description`),
    ...lines,
    '',
    `${invocation} serve <scenario> serves one; scenarios new <file> writes one to start from.`,
  ].join('\n')
}

const maxWarnings = 10

interface CheckFlags {
  readonly seed?: number
  readonly json?: true
}

/** Loads scenarios, and prints what is in them or their problems. */
async function checkScenarios(files: readonly string[], flags: CheckFlags): Promise<void> {
  let unusable = 0
  for (const file of files) {
    if (!(await checkOne(file, flags))) unusable++
  }
  if (unusable > 0) throw new ExitError(exitStatus.badInput)
}

/** Prints the contents or the problems of a scenario; returns whether it is valid. */
async function checkOne(file: string, { seed, json }: CheckFlags): Promise<boolean> {
  const warnings: string[] = []
  const onWarning = (warning: string) => void warnings.push(warning)
  try {
    const checked = await withLoadingLine(file, (onProgress) =>
      contentsOf(file, { seed, onProgress, onWarning }),
    )
    process.stderr.write(sanitize(formatWarnings(file, warnings)))
    const report = { file, ok: true, ...checked, ...(warnings.length > 0 && { warnings }) }
    process.stdout.write(json ? `${JSON.stringify(report)}\n` : sanitize(format(file, checked)))
    return true
  } catch (error) {
    if (!isBadInput(error)) throw error
    process.stderr.write(formatFailure(error) + sanitize(formatWarnings(file, warnings)))
    const report = { file, ok: false, problems: problemsOf(error), ...(warnings.length > 0 && { warnings }) }
    if (json) process.stdout.write(`${JSON.stringify(report)}\n`)
    return false
  }
}

/** Formats warnings about probable mistakes, at most the first ten. */
function formatWarnings(file: string, warnings: readonly string[]): string {
  const lines = warnings.slice(0, maxWarnings).map((warning) => `${file}: warning: ${warning}\n`)
  const further = warnings.length - lines.length
  return lines.join('') + (further > 0 ? `${file}: and ${further} more warnings\n` : '')
}

/** The contents of a scenario that can be used. */
interface CheckedScenario extends WorldSummary {
  readonly scenario: string
  readonly seed: number
  /** How many entries its timeline has. */
  readonly timeline: number
  readonly expect: number
  /** 32 hex digits over the world as it begins. */
  readonly digest: string
}

/** Loads a complete scenario and returns its contents. @throws ScenarioError, WorldError */
async function contentsOf(
  scenario: string,
  options: Pick<LoadOptions, 'seed' | 'onProgress' | 'onWarning'>,
): Promise<CheckedScenario> {
  const initialState = await loadScenario(scenario, { ...options, checksAttacks: true })
  // Entries and expectations are counted as written; repetitions count once.
  const checked = await readScenario(scenario, options.seed)
  const world = new World('check', initialState, 'frozen')
  return {
    scenario: initialState.scenario,
    seed: initialState.seed,
    ...summarize(world.store),
    timeline: checked.timeline.length,
    expect: checked.expect.length,
    digest: digestOf(world),
  }
}

function format(file: string, { timeline, expect, digest, ...summary }: CheckedScenario): string {
  const entries = counted(timeline, 'timeline entry', 'timeline entries')
  const expectations = counted(expect, 'expectation')
  return `${file}: ${formatSummary(summary)}, ${entries}, ${expectations}; digest ${digest}\n`
}

/** Prints the format of scenarios as JSON Schema. */
async function printSchema(): Promise<void> {
  process.stdout.write(`${JSON.stringify(createScenarioJsonSchema(), null, 2)}\n`)
}

/** The extensions of scenario files, with those of the templates they are created from. */
const starters: Readonly<Record<string, string>> = {
  '.yaml': '.yaml',
  '.yml': '.yaml',
  '.json': '.json',
  '.ts': '.ts',
}

/** Writes a scenario to start from. */
async function writeStarter(file: string): Promise<void> {
  const ending = extname(file)
  const starter = starters[ending.toLowerCase()]
  if (starter === undefined) {
    const found = ending === '' ? 'has no file extension' : `ends in ${ending}`
    throw new InputError(`${file} ${found}; a scenario is a .yaml, .json or .ts file.`)
  }
  const text = await readFile(new URL(`fixtures/starters/scenario${starter}`, packageRoot()), 'utf8')
  try {
    await writeFile(file, text.replace('my-story', nameOf(file, ending)), { flag: 'wx' })
  } catch (error) {
    throw new InputError(explain(file, error as NodeJS.ErrnoException))
  }
  process.stdout.write(nextSteps(file))
}

/** Derives the name of a scenario from its file name. */
function nameOf(file: string, ending: string): string {
  const words = basename(file, ending)
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-') ?? 'my-story'
}

function explain(file: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST') return `${file} already exists and was not changed; choose another name.`
  if (code === 'ENOENT') return `There is no folder ${dirname(file)}; create it first, or choose another one.`
  if (code === 'ENOTDIR') return `${dirname(file)} is not a folder; choose another one.`
  return `${file} cannot be written: ${message}`
}

function nextSteps(file: string): string {
  const quoted = formatCommand([file])
  return `Wrote ${file}. Next:

  ${invocation} scenarios check ${quoted}    what is in it, or everything wrong with it
  ${invocation} serve ${quoted} --watch      reloads it whenever it is saved
  ${invocation} replay ${quoted} -- <agent>  plays it to your agent, such as node agent.mjs, and judges it
  ${invocation} check ${quoted} -- <agent>   plays it again, with one thing going wrong at a time

${invocation} scenarios schema --help explains how editors can complete and explain it.
`
}
