import { readFile, writeFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Command } from 'commander'
import { invocation, packageRoot } from '../base/package.js'
import { counted, formatCommand } from '../base/text.js'
import { summarize } from '../doors/controls/world-view.js'
import { digestOf } from '../service/world/digest.js'
import { World } from '../service/world/world.js'
import { createScenarioJsonSchema } from '../story/format/scenario.js'
import { type LoadOptions, loadScenario } from '../story/load.js'
import { describeShipped, readScenario } from '../story/read/read-scenario.js'
import { ExitError, exitStatus, formatFailure, InputError, isBadInput, problemsOf } from './failure.js'
import { examplesOf, refuseArguments, seedOption } from './flags.js'
import { addImport } from './live-service.js'
import { formatSummary, formatTable, print, sanitize, withLoadingLine } from './terminal.js'

/** Adds the commands that help to write scenarios. */
export function addScenarios(scenarios: Command): void {
  scenarios
    .description(
      'A scenario says how a world starts, what happens over time, and what must be true at the end. ' +
        'Without a command, the shipped scenarios are listed.',
    )
    .usage('[list | check <file...> | schema | new <file> | import] [options]')
    .addHelpText('after', `\n${examples}`)
  scenarios
    .command('list', { isDefault: true })
    .summary('list the scenarios that ship with the simulator')
    .description('Lists the scenarios that ship with the simulator, and what each contains.')
    .option('--json', 'print one JSON object: {"scenarios": [{name, describe}]}')
    .allowExcessArguments()
    .addHelpText('after', examplesOf('scenarios list', 'scenarios list --json'))
    .action(listScenarios)
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
  scenarios
    .command('schema')
    .summary('print the format of scenario files as JSON Schema')
    .description(
      'Prints the format of scenario files as JSON Schema (2020-12). Editors use it to complete, explain and ' +
        'check them.',
    )
    .addHelpText('after', `\n${exampleOfSchema}`)
    .action(() => print(JSON.stringify(createScenarioJsonSchema(), null, 2)))
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
  addImport(scenarios.command('import'))
}

const examples = `Examples:
  ${invocation} scenarios                                 every shipped scenario, and what it contains
  ${invocation} scenarios new my-inbox.yaml               a short file with comments, to start from
  ${invocation} scenarios check my-inbox.yaml             what is in it, or everything wrong with it
  ${invocation} scenarios schema > scenario.schema.json   for editors: completion and explanations
  ${invocation} serve my-inbox.yaml --watch               reloads it whenever it is saved
  ${invocation} scenarios import --help                   a mailbox of a live service as a scenario`

const exampleOfSchema = `Example:
  ${invocation} scenarios schema > scenario.schema.json

Then make this the first line of a scenario in the same folder:
  # yaml-language-server: $schema=./scenario.schema.json`

/** Lists the scenarios that ship. */
async function listScenarios(flags: { readonly json?: true }, command: Command): Promise<void> {
  refuseArguments(command)
  const scenarios = await describeShipped()
  if (flags.json) return print(JSON.stringify({ scenarios }))
  const rows = scenarios.map(({ name, describe }) => [name, describe])
  print(`${formatTable([['scenario', 'description'], ...rows])}

${invocation} serve <scenario> serves one; scenarios new <file> writes one to start from.`)
}

type CheckFlags = Pick<LoadOptions, 'seed'> & { readonly json?: true }

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
  let problems: readonly object[] | undefined
  const contents = await withLoadingLine(file, (onProgress) =>
    contentsOf(file, { seed, onProgress, onWarning }),
  ).catch((error: unknown) => {
    if (!isBadInput(error)) throw error
    process.stderr.write(formatFailure(error))
    problems = problemsOf(error)
  })
  process.stderr.write(warnings.map((one) => sanitize(`${file}: warning: ${one}\n`)).join(''))
  const found = { ...contents, problems, ...(warnings.length > 0 && { warnings }) }
  if (json) print(JSON.stringify({ file, ok: contents !== undefined, ...found }))
  else if (contents) print(sanitize(format(file, contents)))
  return contents !== undefined
}

/** Loads a complete scenario and returns its contents. @throws ScenarioError, WorldError */
async function contentsOf(scenario: string, options: Pick<LoadOptions, 'seed' | 'onProgress' | 'onWarning'>) {
  const initialState = await loadScenario(scenario, { ...options, checksAttacks: true })
  // Entries and expectations are counted as written; repetitions count once.
  const checked = await readScenario(scenario, options)
  const world = new World('check', initialState, 'frozen')
  return {
    scenario: initialState.scenario,
    seed: initialState.seed,
    ...summarize(world.store),
    timeline: checked.timeline.length,
    expect: checked.expect.length,
    // 32 hex digits over the world as it begins.
    digest: digestOf(world),
  }
}

type Contents = Awaited<ReturnType<typeof contentsOf>>

function format(file: string, { timeline, expect, digest, ...summary }: Contents): string {
  const entries = counted(timeline, 'timeline entry', 'timeline entries')
  const expectations = counted(expect, 'expectation')
  return `${file}: ${formatSummary(summary)}, ${entries}, ${expectations}; digest ${digest}`
}

/** Writes a scenario to start from. */
async function writeStarter(file: string): Promise<void> {
  const ending = extname(file)
  const starter = ending.toLowerCase().replace('.yml', '.yaml')
  if (!['.yaml', '.json', '.ts'].includes(starter)) {
    const found = ending === '' ? 'has no file extension' : `ends in ${ending}`
    throw new InputError(`${file} ${found}; a scenario is a .yaml, .json or .ts file.`)
  }
  const text = await readFile(new URL(`fixtures/starters/scenario${starter}`, packageRoot()), 'utf8')
  try {
    const words = basename(file, ending)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? ['my-story']
    await writeFile(file, text.replace('my-story', words.join('-')), { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'EEXIST' ? 'already exists and was not changed' : `cannot be written: ${message}`
    throw new InputError(`${file} ${why}; choose another name.`)
  }
  print(nextSteps(file))
}

function nextSteps(file: string): string {
  const quoted = formatCommand([file])
  return `Wrote ${file}. Next:

  ${invocation} scenarios check ${quoted}    what is in it, or everything wrong with it
  ${invocation} serve ${quoted} --watch      reloads it whenever it is saved
  ${invocation} replay ${quoted} -- <agent>  plays it to your agent, such as node agent.mjs, and judges it
  ${invocation} check ${quoted} -- <agent>   plays it again, with one thing going wrong at a time

${invocation} scenarios schema --help explains how editors can complete and explain it.`
}
