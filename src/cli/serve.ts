import type { Command } from 'commander'
import type { ClockMode } from '../service/time/time.js'
import { type FlagCommand, type FlagsOf, flagCommand } from './flag-command.js'
import { parseCount, parseToken } from './flag-values.js'
import { addAccessFlags, addNetworkFlags, addWorldFlags, examplesOf, patienceOption } from './flags.js'

/** Adds the command that serves a scenario over HTTP; it is the default command. */
export function addServe(program: Command) {
  const command = program
    .command('serve', { isDefault: true })
    .summary('serve a scenario over HTTP (the default command)')
    .description('Serves a scenario over HTTP until Ctrl-C. This is what runs when no command is named.')
    .argument(
      '[scenario]',
      'name of a shipped scenario, path of a file, or folder of results',
      'support-desk',
    )
    .allowExcessArguments()
  return addServerFlags(flagCommand(command), 4280)
    .option(
      '--at <number>',
      'for a folder of results of replay: start after this request or other entry of its log (default: the end)',
      parseCount,
    )
    .option('--stay', 'keep running when the npx or npm start that started it ends')
    .optionsGroup('Output:')
    .option('--json', 'print one JSON object per line, the first when it is ready')
    .option('--verbose', 'print requests, deliveries and stack traces on the error stream')
    .addHelpText(
      'after',
      examplesOf(
        'serve',
        'serve refund-request --clock frozen',
        'serve ./story.yaml --watch --port 0 --json',
        'serve results/ --at 12',
      ),
    )
}

/** Adds the command that offers the operations as tools over stdio. */
export function addMcp(program: Command) {
  const command = program
    .command('mcp')
    .summary('offer the operations as tools to an agent (MCP over stdio)')
    .description(
      'Offers every operation as a tool of the Model Context Protocol, over stdin and stdout, until the client ends stdin. ' +
        'The same mailbox is served over HTTP, with the inspector, at an address that it prints on the error stream.',
    )
    .argument('[scenario]', 'name of a shipped scenario, or path of a file', 'support-desk')
  const chosen = flagCommand(command)
    .optionsGroup('Tools (MCP):')
    .option(
      '--api-key <key>',
      "the key of the agent's requests (default: the first of the scenario)",
      parseToken,
    )
  return addServerFlags(chosen, 0)
    .optionsGroup('Output:')
    .option('--json', 'print the addresses as a JSON object')
    .option('--verbose', 'print requests, deliveries and stack traces')
    .addHelpText('after', examplesOf('mcp support-desk', 'mcp ./story.yaml --extend common --port 4280'))
}

/** Adds the flags of a server that runs until it is stopped. */
function addServerFlags<Flags extends object>(command: FlagCommand<Flags>, port: number) {
  const network = addAccessFlags(addNetworkFlags(command, port))
  return addWorldFlags(network, 'real')
    .addOption(patienceOption())
    .optionsGroup('State:')
    .option('--state <place>', 'keep every change in a folder, or in redis://host[:port][/db]')
    .option('--state-reset', 'delete what was kept and start over')
    .optionsGroup('What it simulates:')
    .option('--watch', 'reload the scenario whenever one of its files changes')
}

/** The flags of a server that runs until it is stopped. */
export type ServeFlags = FlagsOf<typeof addServe> & { readonly clock: ClockMode }
