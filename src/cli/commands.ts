import type { Command } from 'commander'
import type { TypedFlag } from '../runs/reports/command-line.js'
import type { FlagCommand } from './flag-command.js'
import { typedFlagsOf } from './flags.js'

/** A command: where help lists it, what it does, and its flags and action, which are loaded when they are needed. */
interface CommandEntry {
  readonly group: string
  readonly summary: string
  add(command: Command): Promise<void>
}

const [mailbox, agents, files, live] = [
  'Serve a mailbox:',
  'Judge an agent:',
  'Scenarios and assumptions:',
  'With a live service:',
]

/** The commands in the order of the help. */
const commands: Readonly<Record<string, CommandEntry>> = {
  serve: {
    group: mailbox,
    summary: 'serve a scenario over HTTP (the default command)',
    async add(command) {
      const { addServe, serve } = await import('./serve.js')
      addServe(command).action(serve)
    },
  },
  mcp: {
    group: mailbox,
    summary: 'offer the operations as tools to an agent (MCP over stdio)',
    async add(command) {
      const { addMcp, mcp } = await import('./mcp.js')
      addMcp(command).action(mcp)
    },
  },
  receive: {
    group: mailbox,
    summary: 'deliver mail to a running server',
    add: async (command) => (await import('./remote.js')).addReceive(command),
  },
  trigger: {
    group: mailbox,
    summary: 'advance the story of a running server to an entry',
    add: async (command) => (await import('./remote.js')).addTrigger(command),
  },
  replay: {
    group: agents,
    summary: 'play a story to your agent and judge what it did',
    async add(command) {
      const [{ addReplay }, { runReplay }] = await Promise.all([
        import('./replay.js'),
        import('./actions/replay.js'),
      ])
      actWithTyped(addReplay(command), runReplay)
    },
  },
  check: {
    group: agents,
    summary: 'find out whether your agent is safe to run',
    async add(command) {
      const [{ addCheck }, { runCheck }] = await Promise.all([
        import('./check.js'),
        import('./actions/check.js'),
      ])
      actWithTyped(addCheck(command), runCheck)
    },
  },
  compare: {
    group: agents,
    summary: 'say whether one result of a story is better or worse than another',
    async add(command) {
      const { addCompare, compare } = await import('./compare.js')
      addCompare(command).action(compare)
    },
  },
  scenarios: {
    group: files,
    summary: 'list the scenarios, check one, or start your own',
    add: async (command) => (await import('./scenarios.js')).addScenarios(command),
  },
  assumptions: {
    group: files,
    summary: 'show what the interface leaves open, and the assumptions in force',
    add: async (command) => (await import('./assumptions.js')).addAssumptionsCommands(command),
  },
  openapi: {
    group: files,
    summary: 'print the documented interface as OpenAPI 3.1',
    async add(command) {
      const { addOpenApi, printOpenApi } = await import('./openapi.js')
      addOpenApi(command).action(printOpenApi)
    },
  },
  calibrate: {
    group: live,
    summary: 'learn which assumptions a live service follows',
    async add(command) {
      const { addCalibrate, runCalibrate } = await import('./calibrate.js')
      addCalibrate(command).action(runCalibrate)
    },
  },
}

/** The names of the commands. */
export const commandNames = Object.keys(commands)

/** Adds the commands to the program: those of some names completely, of the others only what help lists of them. */
export async function addCommands(program: Command, names: readonly string[]): Promise<void> {
  for (const [name, { group, summary, add }] of Object.entries(commands)) {
    const command = program
      .command(name, { isDefault: name === 'serve' })
      .summary(summary)
      .helpGroup(group)
    if (names.includes(name)) await add(command)
  }
}

/** Gives a command an action that also gets the flags as they were typed, for command lines that repeat a run. */
function actWithTyped<Flags extends object>(
  command: FlagCommand<Flags>,
  act: (flags: Flags, line: Command, typed: readonly TypedFlag[]) => Promise<void>,
): void {
  const typed = typedFlagsOf(command)
  command.action((_, flags, line) => act(flags, line, typed))
}
