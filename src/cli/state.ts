import { type Command, Option } from 'commander'
import { examplesOf, loadedAction } from './flags.js'

const actions = () => import('./actions/state.js')

/** Adds the commands that inspect a state. */
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
    .action(loadedAction(actions, ({ listWorlds }) => listWorlds))
  addPlace(state.command('show'))
    .summary('print the log of a world, with keys and tokens masked')
    .description('Prints the log of a world, one entry per line, with keys and tokens masked.')
    .addHelpText('after', examplesOf('state show world_1 --state-dir ./state'))
    .argument('<world>', 'the id of a world, such as world_1')
    .action(loadedAction(actions, ({ showLog }) => showLog))
  addPlace(state.command('export'))
    .summary('export the log of a world, with keys and tokens')
    .description('Prints the log of a world as JSON, one entry per line, with its keys and tokens.')
    .addHelpText('after', examplesOf('state export world_1 --state-dir ./state --out world_1.jsonl'))
    .argument('<world>', 'the id of a world, such as world_1')
    .addOption(new Option('--out <file>', 'write to this file instead'))
    .action(loadedAction(actions, ({ exportLog }) => exportLog))
  addPlace(state.command('drop'))
    .summary('delete a world and its log')
    .description('Deletes a world and its log. The first world starts over.')
    .addHelpText('after', examplesOf('state drop world_2 --state-dir ./state'))
    .argument('<world>', 'the id of a world, such as world_1')
    .action(loadedAction(actions, ({ dropWorld }) => dropWorld))
}

function addPlace(command: Command): Command {
  return command
    .option('--state-dir <folder>', 'the folder of the state')
    .option('--state <url>', 'the state in Valkey or Redis: redis://host[:port][/db]')
}
