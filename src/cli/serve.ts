import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Command } from 'commander'
import { invocation, version } from '../base/package.js'
import { formatCommand, nearestName, shellQuoted } from '../base/text.js'
import type { RunningServer } from '../doors/server/start-server.js'
import { parseStart } from '../doors/simulator/scenario-loader.js'
import type { Style } from '../runs/reports/report.js'
import { Timers } from '../service/time/wall-time.js'
import { loadScenario } from '../story/load.js'
import { shippedScenarios } from '../story/read/read-scenario.js'
import { storyOf } from '../story/story.js'
import { InputError } from './failure.js'
import { examplesOf, isTyped, parseCount, splitCommandLine } from './flags.js'
import {
  addServerFlags,
  formatEvent,
  formatReady,
  runUntilStopped,
  type ServerFlags,
  startServed,
  summaryOf,
} from './running-server.js'
import { sanitize, styleFor } from './terminal.js'

/** The flags of `serve`. */
interface ServeFlags extends ServerFlags {
  readonly at?: number
  readonly stay?: true
}

/** Adds the command that serves a scenario over HTTP; it is the default command. */
export function addServe(command: Command): void {
  command
    .description('Serves a scenario over HTTP until Ctrl-C. This is what runs when no command is named.')
    .argument(
      '[scenario]',
      'name of a shipped scenario, path of a file, or folder of results',
      'support-desk',
    )
    .allowExcessArguments()
  addServerFlags(command, 4280)
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
    .action(serve)
}

/** Serves a scenario over HTTP until a signal. */
async function serve(scenario: string, flags: ServeFlags, line: Command): Promise<void> {
  await refuseOtherCommands(line)
  // A server runs for hours beside other programs: a third less memory for a twentieth more of processor time.
  setFlagsFromString('--heap-growing-percent=40')
  const isFolder = /[/\\]$/.test(scenario) && flags.at !== undefined
  const results = await stat(join(scenario, 'results.json')).catch(() => undefined)
  const isResults = isFolder || results?.isFile() === true
  if (flags.at !== undefined && !isResults) {
    const replay = `${invocation} replay ${formatCommand([scenario])} --out results/ -- COMMAND`
    throw new InputError(
      `--at is for the results of replay: ${replay}, then ${invocation} serve results/ --at ${flags.at}`,
    )
  }
  const server = await (isResults ? serveResults(scenario, flags, line) : startServed(scenario, flags))
  // First, since a client may stop the server as soon as it is ready.
  const stop = runUntilStopped(server, flags, process.stdout, ({ interrupted }) => {
    return flags.json ? formatEvent('stopped', { interrupted }) : '\nStopped.\n'
  })
  // npm does not pass a signal on to what it started.
  const { npm_command, npm_lifecycle_event } = process.env
  const isOfNpm = npm_command === 'exec' || npm_lifecycle_event === 'start'
  if (isOfNpm && !flags.stay) void whenParentIsGone().then(() => stop())
  process.stdout.write(
    flags.json ? formatReady(server) : sanitize(formatWelcome(server, flags, styleFor(process.stdout))),
  )
}

/**
 * Starts a server with the world of a kept play as it was after the entry of its log that `--at` names, by default the last;
 * its clock stands still unless another one is named. @throws InputError, RunError, WorldError
 */
async function serveResults(folder: string, flags: ServeFlags, line: Command): Promise<RunningServer> {
  const useless = ['watch', 'state', 'seed', 'start'].find((name) => isTyped(line, name))
  if (useless !== undefined)
    throw new InputError(`--${useless} is not for results, which have their own story; leave it out.`)
  // The start of other servers does not wait for it.
  const { readKeptPlay } = await import('../runs/kept/kept-play.js')
  const { scenario, seed, start, under, extend: own, read } = await readKeptPlay(folder)
  const extend = [...own, ...(flags.extend ?? [])]
  const chosen = { ...flags, seed, start, clock: 'frozen', ...(extend.length > 0 && { extend }) } as const
  const server = await startServed(scenario, chosen)
  try {
    const { world } = server.simulator.view
    const story = storyOf(world)
    const { assumptions, origins } = story
    const loading = { seed, start: parseStart(start), extend, under }
    const mode = isTyped(line, 'clock') ? flags.clock : 'frozen'
    world.restart(under ? { ...(await loadScenario(scenario, loading)), assumptions, origins } : story, mode)
    const fold = await read(world, flags.at)
    fold.state.clock = { ...fold.state.clock, mode }
    world.continueAfter(fold)
    return server
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Refuses a misspelt command, which looks like a scenario, and what only other commands accept. */
async function refuseOtherCommands(typed: Command): Promise<void> {
  const { own, command } = splitCommandLine(typed)
  const [scenario = '', ...surplus] = own
  const names = typed.parent?.commands.map((other) => other.name()) ?? []
  const meant = nearestName(scenario, names)
  if (meant === scenario) {
    throw new InputError(`"${scenario}" is a command; write it before the flags: ${invocation} ${scenario} …`)
  }
  const isWord = (surplus.length > 0 || command.length > 0) && /^[a-z]+$/.test(scenario)
  if ((meant !== undefined || isWord) && !(await shippedScenarios()).includes(scenario)) {
    const hint = meant === undefined ? `${invocation} --help lists them.` : `did you mean "${meant}"?`
    throw new InputError(`There is no command "${scenario}"; ${hint}`)
  }
  if (command.length > 0) {
    throw new InputError('serve does not run a command; replay and check run the one after --.')
  }
  if (surplus.length > 0) {
    throw new InputError(`serve takes one scenario; leave out "${surplus.join(' ')}".`)
  }
}

/** Waits until the parent process has exited; a parent that was killed forwards no signal. */
async function whenParentIsGone(): Promise<void> {
  const parent = process.ppid
  const timers = new Timers()
  while (process.ppid === parent) await timers.wait(500, undefined, true)
}

/** Formats the welcome: addresses, contents, and a first request. */
function formatWelcome(
  { url, controlUrl, simulator }: RunningServer,
  flags: ServeFlags,
  style: Style,
): string {
  const added = simulator.extensions.operations.map(({ id }) => id).join(', ')
  const facts = [
    ['base URL', style.strong(url)],
    ['inspector', `${controlUrl}/`],
    ['control', `${controlUrl}/health`],
    ['scenario', summaryOf(simulator)],
    ['seed', String(simulator.seed)],
    ['story', `--start ${simulator.start}`],
    ['clock', `${simulator.clock.mode}, now ${simulator.clock.now()}`],
    ...(added === '' ? [] : [['extends', added]]),
  ] as const
  const table = facts.map(([name, value]) => `  ${style.faint(name.padEnd(9))}  ${value}`).join('\n')
  const title = style.strong(`agent-mailbox-sim ${version}`)
  return `${title}\n\n${table}\n\nTry it:\n  ${exampleRequest(url, simulator)}\n${missingFlags(flags)}\nCtrl-C stops it.\n`
}

/** Returns the flags that other machines need, as help for a server beyond loopback. */
function missingFlags({ host, allowHost, controlToken }: ServeFlags): string {
  if (/^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host)) return ''
  const hosts = '  --allow-host NAME, for requests that use a host name or another address\n'
  const token = '  --control-token TOKEN, for requests to /_sim; without it, only /_sim/health responds\n'
  const missing = (allowHost ? '' : hosts) + (controlToken ? '' : token)
  return missing && `\nOther machines can reach this server. Missing flags:\n${missing}`
}

function exampleRequest(url: string, { apiKey, identities }: RunningServer['simulator']): string {
  const [agent] = identities.list()
  const query = agent ? `agent=${encodeURIComponent(agent.agent_handle)}&limit=5` : 'limit=5'
  const header = `Authorization: Bearer ${apiKey}`
  return `curl -H ${shellQuoted(header)} ${shellQuoted(`${url}/api/v1/mail/threads?${query}`)}`
}
