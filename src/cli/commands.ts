import type { Command } from 'commander'

/** A command: where help lists it, what it does, and what adds its flags and action, which is loaded when it is needed. */
interface CommandEntry {
  readonly group: string
  readonly summary: string
  load(): Promise<(command: Command) => void>
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
    load: async () => (await import('./serve.js')).addServe,
  },
  mcp: {
    group: mailbox,
    summary: 'offer the operations as tools to an agent (MCP over stdio)',
    load: async () => (await import('./mcp.js')).addMcp,
  },
  receive: {
    group: mailbox,
    summary: 'deliver mail to a running server',
    load: async () => (await import('./remote.js')).addReceive,
  },
  trigger: {
    group: mailbox,
    summary: 'advance the story of a running server to an entry',
    load: async () => (await import('./remote.js')).addTrigger,
  },
  replay: {
    group: agents,
    summary: 'play a story to your agent and judge what it did',
    load: async () => (await import('./replay.js')).addReplay,
  },
  check: {
    group: agents,
    summary: 'find out whether your agent is safe to run',
    load: async () => (await import('./check.js')).addCheck,
  },
  compare: {
    group: agents,
    summary: 'say whether one result of a story is better or worse than another',
    load: async () => (await import('./compare.js')).addCompare,
  },
  scenarios: {
    group: files,
    summary: 'list the scenarios, check one, or start your own',
    load: async () => (await import('./scenarios.js')).addScenarios,
  },
  assumptions: {
    group: files,
    summary: 'show what the interface leaves open, and the assumptions in force',
    load: async () => (await import('./assumptions.js')).addAssumptions,
  },
  openapi: {
    group: files,
    summary: 'print the documented interface as OpenAPI 3.1',
    load: async () => (await import('./openapi.js')).addOpenApi,
  },
  calibrate: {
    group: live,
    summary: 'learn which assumptions a live service follows',
    load: async () => (await import('./calibrate.js')).addCalibrate,
  },
}

/** The names of the commands. */
export const commandNames = Object.keys(commands)

/** Adds the commands to the program: those of some names completely, of the others only what help lists of them. */
export async function addCommands(program: Command, names: readonly string[]): Promise<void> {
  for (const [name, { group, summary, load }] of Object.entries(commands)) {
    const command = program
      .command(name, { isDefault: name === 'serve' })
      .summary(summary)
      .helpGroup(group)
    if (!names.includes(name)) continue
    const add = await load()
    add(command)
  }
}
