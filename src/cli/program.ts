import { Command, CommanderError, Option } from 'commander'
import { invocation, version } from '../base/package.js'
import { exitStatus, handleOutputErrors, reportFailure } from './failure.js'

/** A command: what help lists of it, and what adds its flags and action, which is loaded when it is needed. */
interface CommandEntry {
  readonly summary: string
  load(): Promise<(command: Command) => void>
}

/** The commands in the order of the help, in its groups. */
const groups: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  'Serve a mailbox:': {
    serve: {
      summary: 'serve a scenario over HTTP (the default command)',
      load: async () => (await import('./serve.js')).addServe,
    },
    mcp: {
      summary: 'offer the operations as tools to an agent (MCP over stdio)',
      load: async () => (await import('./mcp.js')).addMcp,
    },
    receive: {
      summary: 'deliver mail to a running server',
      load: async () => (await import('./remote.js')).addReceive,
    },
    trigger: {
      summary: 'advance the story of a running server to an entry',
      load: async () => (await import('./remote.js')).addTrigger,
    },
  },
  'Judge an agent:': {
    replay: {
      summary: 'play a story to your agent and judge what it did',
      load: async () => (await import('./replay.js')).addReplay,
    },
    check: {
      summary: 'find out whether your agent is safe to run',
      load: async () => (await import('./check.js')).addCheck,
    },
    compare: {
      summary: 'say whether one result of a story is better or worse than another',
      load: async () => (await import('./compare.js')).addCompare,
    },
  },
  'Scenarios and assumptions:': {
    scenarios: {
      summary: 'list the scenarios, check one, or start your own',
      load: async () => (await import('./scenarios.js')).addScenarios,
    },
    assumptions: {
      summary: 'show what the interface leaves open, and the assumptions in force',
      load: async () => (await import('./assumptions.js')).addAssumptions,
    },
    openapi: {
      summary: 'print the documented interface as OpenAPI 3.1',
      load: async () => (await import('./openapi.js')).addOpenApi,
    },
  },
  'With a live service:': {
    calibrate: {
      summary: 'learn which assumptions a live service follows',
      load: async () => (await import('./live-service.js')).addCalibrate,
    },
  },
}

/** The names of the commands. */
const commandNames = Object.values(groups).flatMap((commands) => Object.keys(commands))

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
    const named = commandNames.filter((name) => name === args[0] || (args[0] === 'help' && name === args[1]))
    const program = await createProgram(named.length > 0 ? named : ['serve'])
    await program.parseAsync(args, { from: 'user' })
    return exitStatus.fine
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error, args.includes('--verbose'))
    // Commander has already printed the problem, or the requested help.
    return error.exitCode === 0 ? exitStatus.fine : exitStatus.badInput
  }
}

/** Creates the program with its commands: those of some names completely, of the others only what help lists of them. */
export async function createProgram(names: readonly string[] = commandNames): Promise<Command> {
  const program = new Command('agent-mailbox-sim')
    .usage('[command] [arguments] [options]')
    .description(
      'A local simulator of an agent mailbox service.\n\n' +
        `Without a command, serve runs. ${invocation} <command> --help explains one, with its flags.`,
    )
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', `\n${examples}`)
    .exitOverride()
  for (const [group, commands] of Object.entries(groups)) {
    for (const [name, { summary, load }] of Object.entries(commands)) {
      const command = program.command(name, { isDefault: name === 'serve' })
      command.summary(summary).helpGroup(group)
      if (names.includes(name)) (await load())(command)
    }
  }
  prepare(program, invocation)
  return program
}

/** Lets a command take `--verbose`, with which `run` prints stack traces, and refer to its own help after a usage error. */
function prepare(command: Command, line: string): void {
  // The program itself would take the flag from its commands.
  if (command.parent && !command.options.some(({ long }) => long === '--verbose')) {
    command.addOption(new Option('--verbose', 'print stack traces on the error stream').hideHelp())
  }
  command.showHelpAfterError(`${line} --help shows its arguments and flags.`)
  for (const sub of command.commands) prepare(sub, `${line} ${sub.name()}`)
}

const examples = `Examples:
  ${invocation}                                     the support desk of an outdoor shop, on port 4280
  ${invocation} scenarios new my-inbox.yaml         a short scenario to start from
  ${invocation} my-inbox.yaml --watch               reloads it whenever it is saved
  ${invocation} --assume worst-case                 as little as the interface promises
  ${invocation} --port 0 --json                     a free port, printed for the program that starts it
  ${invocation} receive support "Refund?"           mail arrives at the running server
  ${invocation} replay refund-request -- ./agent    a story played to your agent, and judged
  ${invocation} check refund-request -- ./agent     the same with one thing going wrong at a time
  ${invocation} assumptions show threads.total      what the interface leaves open there, and what to do`
