import { type Command, Help, type Option } from 'commander'
import { invocation } from '../src/base/package.js'
import { createProgram } from '../src/cli/program.js'

/** Formats the commands, their flags and the environment variables as a page of Markdown. */
export async function formatCommandLineDocument(): Promise<string> {
  const leaves = leavesOf(await createProgram())
  const commands = leaves.map((command) => formatCommand(command))
  const contents = leaves.map((command) => {
    const name = nameOf(command)
    return `- [\`${name}\`](#${name.replaceAll(' ', '-')}): ${help.subcommandDescription(command)}`
  })
  return `${[introduction, contents.join('\n'), ...commands, formatVariables(), statuses].join('\n\n')}\n`
}

const help = new Help()

const introduction = `<!-- Generated from src/cli. To update it: npx vitest run test/command-line-document.test.ts -u -->

# The command line

In a project that has the package, type \`${invocation} …\`; in a clone of the repository, \`npm start -- …\`. Without a command,
\`serve\` runs. \`--help\` shows the flags of a command with examples.`

/** The variables that the program and the library read, and those that they set for a command. */
export const variables: readonly (readonly [name: string, who: string, about: string])[] = [
  [
    'MAILBOX_SIM_ASSUME',
    'read by every simulator',
    'the assumptions, with the same values as `--assume`; see [assumptions.md](assumptions.md#choose-assumptions)',
  ],
  [
    'MAILBOX_SIM_TRACE',
    'read by every simulator',
    'a file to which simulators append what responses depend on; see [assumptions.md](assumptions.md#what-a-client-depends-on)',
  ],
  ['MAILBOX_BASE_URL', 'set for the command of `replay` and `check`', 'the base URL of the service'],
  ['MAILBOX_API_KEY', 'set for that command', 'the API key to use'],
  ['MAILBOX_MCP_URL', 'set for that command', 'the operations as [MCP tools](recipes/mcp.md)'],
  ['MAILBOX_AGENT', 'set for that command', 'the handle of the first mailbox: its own'],
  ['MAILBOX_TASK', 'set for that command', 'what it is asked to do, if the scenario has a `task`'],
  [
    'MAILBOX_STATE_DIR',
    'set for that command',
    'a folder that lasts through a play, for what it has to keep',
  ],
  ['MAILBOX_START', 'set for that command', 'which start of it in a play this is, from 1'],
  [
    'MAILBOX_SIM_URL',
    'set for that command; read by `receive`, `trigger` and the pytest plugin',
    'the [control API](control-api.md)',
  ],
  [
    'MAILBOX_SIM_TOKEN',
    'set for that command; read by `receive`, `trigger` and the pytest plugin',
    'the token that the control API needs, if it needs one',
  ],
  [
    'MAILBOX_SIM_OBSERVER',
    'set for the command of `replay` and `check`',
    'where observers in its Node and Python processes tell what they do; see [replay.md](replay.md#how-time-passes)',
  ],
  [
    'MAILBOX_SIM_MOMENT',
    'set for that command',
    'the time of the story when a process of it begins, for its observer',
  ],
  ['MAILBOX_SIM_AGENT_TIME', 'set for that command', 'how time passes for them, as `--agent-time` says'],
  [
    'MAILBOX_SIM_THINK_TIME',
    'set for that command',
    'milliseconds that a request to somebody else takes, as `--think-time` says',
  ],
  ['MAILBOX_SIM_PARENT', 'set for that command', 'the process of the agent that has started another one'],
  ['MAILBOX_TRIAL', 'set for the command of `replay --trials`', 'the number of the trial, from 1'],
  [
    'MAILBOX_SIM_COMMAND',
    'read by the pytest plugin',
    'the program to start; see [python/README.md](../python/README.md)',
  ],
  [
    'MAILBOX_SIM_STATE_USERNAME',
    'read by `serve --state`',
    'the user name for Valkey or Redis, instead of that in the URL',
  ],
  [
    'MAILBOX_SIM_STATE_PASSWORD',
    'read by `serve --state`',
    'the password for Valkey or Redis, instead of that in the URL',
  ],
  [
    'GITHUB_STEP_SUMMARY',
    'read by `replay` and `check`',
    'a file to which the report is also appended as Markdown',
  ],
  ['NO_COLOR, FORCE_COLOR', 'read by every command', 'whether output has colours'],
]

const statuses = `## Exit status

| status | meaning |
|---|---|
| 0 | Everything passed, or the server was stopped. |
| 1 | Something did not pass, was refused while it ran, or was interrupted. |
| 2 | Wrong usage, an invalid file, or a run in which nothing could be judged. |`

/** Returns the commands without subcommands, in the order of the help. */
function leavesOf(command: Command): Command[] {
  const below = command.commands.filter((one) => one.name() !== 'help').flatMap(leavesOf)
  const runs = command.parent !== null && (below.length === 0 || command.registeredArguments.length > 0)
  return runs ? [command, ...below] : below
}

function nameOf(command: Command): string {
  const { parent } = command
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name()
}

function formatCommand(command: Command): string {
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help')
  const titles = new Set(options.map(({ helpGroupHeading = '' }) => helpGroupHeading))
  const tables = [...titles].map((title) => {
    const rows = options.filter(({ helpGroupHeading = '' }) => helpGroupHeading === title).map(rowOf)
    const heading = title === '' ? '' : `${title}\n\n`
    return `${heading}| flag | meaning |\n|---|---|\n${rows.join('\n')}`
  })
  const usage = `\`\`\`text\n${invocation} ${nameOf(command)} ${command.usage()}\n\`\`\``
  return [`## ${nameOf(command)}`, command.description(), usage, ...tables].join('\n\n')
}

function rowOf(option: Option): string {
  // What Markdown would take for markup becomes code.
  const markup = /<[a-z|=]+>|[A-Z][a-z]+ <\S+>|\{".*\}|[a-z_]+=\{\S+\}|\{[\w:]+\}|--[a-z-]+/g
  const about = help.optionDescription(option).replaceAll(markup, '`$&`')
  return `| ${[`\`${option.flags}\``, about].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function formatVariables(): string {
  const rows = variables.map(
    ([names, who, about]) => `| \`${names.replace(', ', '`, `')}\` | ${who} | ${about} |`,
  )
  return `## Environment variables\n\n| variable | who | what |\n|---|---|---|\n${rows.join('\n')}`
}
