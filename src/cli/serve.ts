import { type Command, InvalidArgumentError, Option } from 'commander'
import { formatInstant, parseInstant } from '../world/time.js'
import { addNetworkFlags, addWorldFlags, examplesOf, loadedAction } from './flags.js'

/** Adds the command that serves a scenario over HTTP; it is the default command. */
export function addServe(program: Command): Command {
  const command = program
    .command('serve', { isDefault: true })
    .summary('serve a scenario over HTTP (the default command)')
    .description('Serves a scenario over HTTP until Ctrl-C. This is what runs when no command is named.')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file', 'support-desk')
    .allowExcessArguments()
  addNetworkFlags(command, 4280)
  return addWorldFlags(command, 'real')
    .optionsGroup('State:')
    .option('--state-dir <folder>', 'keep every change in this folder')
    .option('--state <url>', 'keep every change in Valkey or Redis: redis://host[:port][/db]')
    .addOption(
      new Option(
        '--state-sync <when>',
        'write the folder to disk before each answer, or every second',
      ).choices(['always', 'second']),
    )
    .option('--state-reset', 'delete what was kept and start over')
    .optionsGroup('What it simulates:')
    .option(
      '--start <instant>',
      'when the story begins: an instant, now, or scenario (as its file says)',
      parseStart,
    )
    .option('--watch', 'reload the scenario whenever one of its files changes')
    .option('--stay', 'keep running when the npx that started it ends')
    .optionsGroup('Output:')
    .option('--json', 'print one JSON object per line, the first when it is ready')
    .option('--verbose', 'print requests, deliveries and stack traces on the error stream')
    .addHelpText(
      'after',
      examplesOf(
        'serve',
        'serve refund-request --clock frozen',
        'serve ./story.yaml --watch --port 0 --json',
      ),
    )
    .action(
      loadedAction(
        () => import('./actions/serve.js'),
        ({ serve }) => serve,
      ),
    )
}

function parseStart(text: string): string {
  const instant = parseInstant(text)
  if (instant !== undefined) return formatInstant(instant)
  if (text === 'now' || text === 'scenario') return text
  throw new InvalidArgumentError('It must be now, scenario, or an instant such as 2026-01-05T09:00:00Z.')
}
