import type { Command } from 'commander'
import { invocation } from '../base/package.js'
import { examplesOf, loadedAction, seedOption } from './flags.js'
import { addImport } from './import.js'

const actions = () => import('./actions/scenarios.js')

/** Adds the commands that help to write scenarios. */
export function addScenarios(program: Command): void {
  const scenarios = program
    .command('scenarios')
    .summary('list the scenarios, check one, or start your own')
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
  addImport(scenarios).action(
    loadedAction(
      () => import('./actions/import.js'),
      ({ runImport }) => runImport,
    ),
  )
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
    .action(loadedAction(actions, ({ listScenarios }) => listScenarios))
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
    .action(loadedAction(actions, ({ checkScenarios }) => checkScenarios))
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
    .action(loadedAction(actions, ({ printSchema }) => printSchema))
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
    .action(loadedAction(actions, ({ writeStarter }) => writeStarter))
}
