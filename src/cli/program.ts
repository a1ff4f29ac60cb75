import { Command, CommanderError, Help, Option } from 'commander'
import { invocation, version } from '../base/package.js'
import { expectedOneOf } from '../base/text.js'
import { addCommands, addNamed } from './commands.js'
import { exitStatus, handleOutputErrors, reportFailure } from './failure.js'

/** Runs a command line in this process, given without the name of the program. */
export async function start(args: readonly string[]): Promise<void> {
  handleOutputErrors(process.stdout)
  handleOutputErrors(process.stderr)
  // What scenarios and extensions log must not get into a document or a protocol on the standard output.
  Object.defineProperty(console, '_stdout', { value: process.stderr, configurable: true })
  process.once('exit', explainUnsettled)
  // Set, not called: the process ends by itself once all output is written and nothing is left to do.
  process.exitCode = await run(args)
}

/** Explains that Node ended the program because nothing is left that could settle the promise it waits for. */
function explainUnsettled(): void {
  if (process.exitCode !== undefined) return
  process.stderr.write('error: The code of a scenario or an extension awaits a promise that never settles.\n')
  process.exitCode = exitStatus.badInput
}

/** Runs a command line, given without the name of the program, and returns the exit status. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const program = await createProgram(args[0])
    await program.parseAsync(args, { from: 'user' })
    return exitStatus.fine
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error, args.includes('--verbose'))
    // Commander has already printed the problem, or the requested help.
    return error.exitCode === 0 ? exitStatus.fine : exitStatus.badInput
  }
}

/** Creates the program with all its commands, or with the one that its first argument names. */
export async function createProgram(first?: string): Promise<Command> {
  const program = new Command('agent-mailbox-sim')
    .usage('[serve] [scenario] [options]')
    .description(
      'A local simulator of an agent mailbox service.\n\n' +
        `Without a command, serve runs, with the arguments and options below. ${invocation} <command> --help explains another one.`,
    )
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
  if (!(await addNamed(program, first))) {
    const serve = await addCommands(program)
    addHelp(program)
    program.configureHelp({ formatHelp: formatWith(serve) })
  }
  for (const command of program.commands) acceptVerbose(command)
  helpAfterError(program, invocation)
  return program
}

/** Adds the command `help`, which refuses names that are no commands. */
function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help [command]')
    .description('show the help of a command')
    .action((name?: string) => {
      const names = program.commands.map((command) => command.name())
      if (name === undefined) program.help()
      const named = program.commands.find((command) => command.name() === name)
      if (named) named.help()
      program.error(`error: there is no command "${name}"${expectedOneOf(name, names, '.')}`)
    })
}

/** Adds `--verbose`, with which `run` prints stack traces, to the commands that have no such flag. */
function acceptVerbose(command: Command): void {
  if (!command.options.some(({ long }) => long === '--verbose')) {
    command.addOption(new Option('--verbose', 'print stack traces on the error stream').hideHelp())
  }
  for (const sub of command.commands) acceptVerbose(sub)
}

/** Makes each command refer to its own help after a usage error. */
function helpAfterError(command: Command, line: string): void {
  command.showHelpAfterError(`${line} --help shows its arguments and flags.`)
  for (const sub of command.commands) helpAfterError(sub, `${line} ${sub.name()}`)
}

/**
 * Returns a function that formats the help of the program: its commands and examples, then the options of the command
 * that runs when none is named. Only there: Commander suggests the options of the program for mistakes in those of any
 * command.
 */
function formatWith(command: Command): Help['formatHelp'] {
  const help = new Help()
  const own = help.visibleOptions(command).filter(({ long }) => long !== '--help')
  return (program, shown) => {
    const combined = Object.assign(shown, {
      visibleArguments: () => help.visibleArguments(command),
      visibleOptions: () => [...own, ...help.visibleOptions(program)],
      // Groups appear in the order of the visible options.
      groupItems: ((_all, items, groupOf) => help.groupItems(items, items, groupOf)) as Help['groupItems'],
    } satisfies Partial<Help>)
    const text = Help.prototype.formatHelp.call(combined, program, combined)
    const [start = '', rest = ''] = splitBefore(text, 'Arguments:\n')
    const [options = '', commands = ''] = splitBefore(rest, 'Commands:\n')
    return `${start}${commands}\n${examples}\n\n${options.trimEnd()}\n`
  }
}

/** Splits a text before the first line that begins in this way. */
function splitBefore(text: string, line: string): [string, string] {
  const at = text.indexOf(line)
  return [text.slice(0, at), text.slice(at)]
}

const examples = `Examples:
  ${invocation}                                    the support desk of an outdoor shop, on port 4280
  ${invocation} scenarios                          the other scenarios
  ${invocation} scenarios new my-inbox.yaml        a short scenario to start from
  ${invocation} my-inbox.yaml --watch              reloads it whenever it is saved
  ${invocation} my-inbox.yaml --seed 7             with other generated mail
  ${invocation} --assume worst-case              as little as the interface promises
  ${invocation} --assume threads.total=page-size  another assumption of one open point
  ${invocation} --port 0 --json                    a free port, printed for the program that starts it
  ${invocation} assumptions show threads.total        what the interface leaves open there, and what to do
  ${invocation} receive support "Refund?"          mail arrives at the running server
  ${invocation} trigger                            what is still to come in its story; trigger NAME advances to it
  ${invocation} replay refund-request -- ./agent   a story played to your agent, and judged
  ${invocation} explore -- npm test                which of these points your tests depend on
  ${invocation} fuzz refund-request -- ./agent     the smallest story that breaks your agent
  ${invocation} calibrate --help                   how a live service settles those points`
