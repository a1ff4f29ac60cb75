import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { invocation, version } from '../../base/package.js'
import { nearestName } from '../../base/text.js'
import type { AnsweredRequest } from '../../doors/server/request-listener.js'
import { ServerError } from '../../doors/server/server-error.js'
import {
  type DeliveryTry,
  type RunningServer,
  type ServerOptions,
  serverOptionsIn,
  startServer,
} from '../../doors/server/start-server.js'
import { bracketed } from '../../doors/server/transport/allowed-targets.js'
import { openState } from '../../doors/state/open-state.js'
import { formatCommand } from '../../runs/reports/command-line.js'
import type { Style } from '../../runs/reports/report.js'
import { Timers } from '../../service/time/wall-time.js'
import { decidesLife } from '../../story/agent-life.js'
import { storyOf } from '../../story/overlays/story.js'
import { shippedScenarios } from '../../story/read/find-scenario.js'
import { InputError, problemsOf, reportFailure } from '../failure.js'
import { optionsOf, thisSecond } from '../flags.js'
import { ask } from '../remote.js'
import type { ServeFlags } from '../serve.js'
import { formatSummary, sanitize, styleFor, withLoadingLine } from '../terminal.js'
import { ScenarioWatch } from '../watch.js'
import { splitCommandLine } from './arguments.js'

/** Serves a scenario over HTTP until a signal. */
export async function serve(scenario: string, flags: ServeFlags, line: Command): Promise<void> {
  await refuseOtherCommands(line)
  const isFolder = /[/\\]$/.test(scenario) && flags.at !== undefined
  const server = await (isFolder || (await isResults(scenario))
    ? serveResults(scenario, flags, line)
    : startScenario(scenario, flags))
  const watch = flags.watch && watchServed(server.simulator, flags, process.stdout)
  // First, since a client may stop the server as soon as it is ready.
  const stop = stopOnSignal(server, watch, ({ interrupted }) => {
    return flags.json ? formatEvent('stopped', { interrupted }) : formatFarewell(interrupted)
  })
  // npm does not pass a signal on to what it started.
  const { npm_command, npm_lifecycle_event } = process.env
  const isOfNpm = npm_command === 'exec' || npm_lifecycle_event === 'start'
  if (isOfNpm && !flags.stay) void whenParentIsGone().then(() => stop())
  process.stdout.write(
    flags.json ? formatReady(server) : sanitize(formatWelcome(server, flags, styleFor(process.stdout))),
  )
}

/** Starts the server of a scenario. @throws InputError if a moment is named, which only results have */
function startScenario(scenario: string, flags: ServeFlags): Promise<RunningServer> {
  if (flags.at === undefined) return startServed(scenario, flags)
  throw new InputError(
    `--at is for the results of replay: ${invocation} replay ${scenario} --out results/ -- COMMAND, then ${invocation} serve results/ --at ${flags.at}`,
  )
}

/** Returns whether a name is that of a folder into which `replay --out` wrote. */
async function isResults(name: string): Promise<boolean> {
  return (await stat(join(name, 'results.json')).catch(() => undefined))?.isFile() === true
}

/** Starts a server with the world of a kept play as it was at a moment. */
async function serveResults(folder: string, flags: ServeFlags, line: Command): Promise<RunningServer> {
  // The start of other servers does not wait for it.
  const { servedPlay } = await import('./kept-results.js')
  const { scenario, goBack, ...served } = await servedPlay(folder, flags, line)
  const server = await startServed(scenario, served.flags)
  try {
    await goBack(server.simulator)
    return server
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Starts the server that flags describe. @throws what `startServer` throws, StateError, InputError */
export async function startServed(scenario: string, flags: ServeFlags): Promise<RunningServer> {
  const state = stateOf(flags)
  const server = await withLoadingLine(scenario, flags.json, (onProgress) =>
    startServer({
      ...serverOptionsIn({ scenario, ...optionsOf(flags), ...defaultStartOf(flags), state }),
      onAnswer: flags.verbose && ((request) => void process.stderr.write(formatAnswered(request))),
      onDeliveryTry: flags.verbose && ((tried) => void process.stderr.write(formatDeliveryTry(tried))),
      onHint: logHint,
      onProgress,
    }),
  ).catch(async (error: unknown) => {
    throw isPortTaken(error) ? await portTakenError(error, flags) : error
  })
  warnOfOpenAssumption(server.simulator)
  warnOfLife(server.simulator)
  return server
}

/**
 * Returns when a story without a start of its own begins: now, which is what the real clock shows. Servers that share a
 * state would each have a different now.
 */
function defaultStartOf({ start, clock, state }: ServeFlags): Pick<ServerOptions, 'defaultStart'> {
  const isNow = start === undefined && clock === 'real' && state === undefined
  return isNow ? { defaultStart: thisSecond() } : {}
}

function isPortTaken(error: unknown): error is ServerError {
  return error instanceof ServerError && error.code === 'port-taken'
}

/** Returns the refusal of a port that another simulator uses, with the scenario that it serves. */
async function portTakenError(error: ServerError, { host, port }: ServeFlags): Promise<ServerError> {
  const url = `http://${bracketed(host)}:${port}/_sim`
  const health = await ask<{ scenario?: string }>({ url }, '/health', { seconds: 1 }).catch(() => ({}))
  if (!('scenario' in health)) return error
  const message = `Port ${port} is taken by another agent-mailbox-sim, which serves ${health.scenario}. Use that one, stop it, or choose another port with --port (0 picks a free one).`
  return new ServerError('port-taken', message, { cause: error })
}

/** Commands of other tools, and of this one without their group, with their names here. */
const calledHere: Readonly<Record<string, string>> = {
  check: 'scenarios check',
  validate: 'scenarios check',
  lint: 'scenarios check',
  new: 'scenarios new',
  create: 'scenarios new',
  init: 'scenarios new my-inbox.yaml',
  list: 'scenarios list',
  ls: 'scenarios list',
  import: 'scenarios import',
  schema: 'scenarios schema',
  show: 'assumptions show',
  gaps: 'assumptions list',
  profile: 'assumptions profile',
  start: 'serve',
  run: 'replay',
  test: 'replay',
  send: 'receive',
}

/** Returns the command line that was meant by one that begins with a word that is no command here; undefined for others. */
function commandMeant(
  [word = '', ...rest]: readonly string[],
  command: readonly string[],
): string | undefined {
  // Not an inherited property.
  if (!Object.hasOwn(calledHere, word)) return undefined
  const [name = '', ...sample] = (calledHere[word] ?? '').split(/ (?=\S+\.yaml)/)
  const words = rest.length > 0 ? rest : sample
  return `${invocation} ${formatCommand([...name.split(' '), ...words, ...(command.length > 0 ? ['--', ...command] : [])])}`
}

/** Refuses a misspelt command, which looks like a scenario, and what only other commands accept. */
async function refuseOtherCommands(typed: Command): Promise<void> {
  const { own, command } = splitCommandLine(typed)
  const [scenario = '', ...surplus] = own
  const names = typed.parent?.commands.map((other) => other.name()) ?? []
  const line = commandMeant(own, command)
  const isFile = line !== undefined && (await stat(scenario).catch(() => undefined)) !== undefined
  if (line !== undefined && !isFile)
    throw new InputError(`There is no command "${scenario}"; did you mean ${line}?`)
  const meant = nearestName(scenario, names)
  if (meant === scenario) {
    throw new InputError(`"${scenario}" is a command; write it before the flags: ${invocation} ${scenario} …`)
  }
  if (meant !== undefined) {
    const isScenario = (await shippedScenarios()).includes(scenario)
    if (!isScenario) throw new InputError(`There is no command "${scenario}"; did you mean "${meant}"?`)
  }
  if (command.length > 0) {
    throw new InputError('serve does not run a command; replay, explore and fuzz run the one after --.')
  }
  if (surplus.length > 0) {
    const [first = ''] = surplus
    const port = /^\d+$/.test(first) ? ` For a port, use --port ${first}.` : ''
    throw new InputError(`serve takes one scenario; leave out "${surplus.join(' ')}".${port}`)
  }
}

/** Opens the state that the flags name; undefined if they name none. @throws StateError, InputError */
function stateOf({ state: place, stateReset: reset, watch }: ServeFlags) {
  if (place === undefined) {
    if (reset) throw new InputError('--state-reset needs --state.')
    return undefined
  }
  if (place === '')
    throw new InputError('--state is empty; name a folder, or a URL such as redis://127.0.0.1.')
  if (watch)
    throw new InputError(
      '--watch restarts at every change of the scenario, so it cannot be used with a state; leave one out.',
    )
  const { MAILBOX_SIM_STATE_USERNAME: username, MAILBOX_SIM_STATE_PASSWORD: password } = process.env
  return openState({ place, username, password, reset, warn: logWarning })
}

function logWarning(message: string): void {
  process.stderr.write(sanitize(`warning: ${message}\n`))
}

function logHint(hint: string): void {
  process.stderr.write(`hint: ${hint}\n`)
}

/** Any page that is open in a browser of this machine is "another origin". */
function warnOfOpenAssumption({ assumptions }: RunningServer['simulator']): void {
  if (assumptions.current()['format.cors'] !== 'permissive') return
  const from = assumptions.origins()['format.cors']
  logWarning(`format.cors is permissive (${from}): any web page open on this machine can read the mail.`)
}

/** Says that a server starts no program, so that a story cannot kill one. */
function warnOfLife({ paced }: RunningServer['simulator']): void {
  if (!decidesLife(storyOf(paced))) return
  logWarning(
    'The story has entries with "agent", which have no effect here, since serve starts no program; replay does, with the command of the agent after --.',
  )
}

/** Reloads the scenario of a server whenever one of its files changes, and says so on a stream. */
export function watchServed(
  simulator: RunningServer['simulator'],
  { json, verbose }: ServeFlags,
  output: NodeJS.WritableStream,
): ScenarioWatch {
  const { stderr } = process
  return new ScenarioWatch(simulator, {
    reloaded() {
      const { scenario, seed } = simulator
      const text = sanitize(`Reloaded: ${summaryOf(simulator)}\n`)
      output.write(json ? formatEvent('reloaded', { scenario, seed }) : text)
    },
    failed(error) {
      reportFailure(error, verbose === true)
      stderr.write('Not reloaded: the server keeps serving the previous version.\n')
      if (json) output.write(formatEvent('reload-failed', { problems: problemsOf(error) }))
    },
  })
}

/** Formats a line that notifies programs of an event. */
function formatEvent(event: string, facts: object): string {
  return `${JSON.stringify({ event, ...facts })}\n`
}

/** Milliseconds for which SIGTERM waits for the responses to requests that have arrived. */
const longestDrain = 5000

/**
 * Stops the server at the first signal, or when the returned function is called; a second signal ends the
 * process immediately. SIGTERM, which process managers send, drains requests; Ctrl-C does not wait.
 */
export function stopOnSignal(
  server: RunningServer,
  watch: ScenarioWatch | undefined,
  farewell: (server: RunningServer) => string,
): () => Promise<void> {
  const stop = async (signal?: NodeJS.Signals): Promise<void> => {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    watch?.close()
    await server.close({ drain: signal === 'SIGTERM' ? longestDrain : 0 })
    process.stdout.write(farewell(server), () => {
      // A scenario that is still loading, or a receiver's address that is being resolved, would delay the exit.
      if (watch?.busy || server.interrupted > 0) process.exit()
    })
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return stop
}

/** Waits until the parent process has exited; a parent that was killed forwards no signal. */
async function whenParentIsGone(): Promise<void> {
  const parent = process.ppid
  const timers = new Timers()
  while (process.ppid === parent) await timers.wait(500, undefined, true)
}

/** Formats the line that tells programs that a server is ready. */
export function formatReady({
  url,
  controlUrl,
  simulator: { scenario, seed, start },
}: RunningServer): string {
  return formatEvent('ready', { url, control: controlUrl, scenario, seed, pid: process.pid, start })
}

/** Formats the welcome: addresses, contents, and a first request. */
function formatWelcome(
  { url, controlUrl, simulator }: RunningServer,
  flags: ServeFlags,
  style: Style,
): string {
  const facts = [
    ['base URL', style.strong(url)],
    ['inspector', `${controlUrl}/`],
    ['control', `${controlUrl}/health`],
    ['scenario', summaryOf(simulator)],
    ['seed', String(simulator.seed)],
    ['story', `--start ${simulator.start}`],
    ['clock', `${simulator.clock.mode}, now ${simulator.clock.now()}`],
    ...extensionFact(simulator),
  ] as const
  const table = facts.map(([name, value]) => `  ${style.faint(name.padEnd(9))}  ${value}`).join('\n')
  const title = style.strong(`agent-mailbox-sim ${version}`)
  return `${title}\n\n${table}\n\nTry it:\n  ${exampleRequest(url, simulator)}\n${missingFlags(flags)}\nCtrl-C stops it.\n`
}

/** Returns the line that lists the operations of extensions, if there are any. */
function extensionFact({ extensions: { operations } }: RunningServer['simulator']): [string, string][] {
  return operations.length === 0 ? [] : [['extends', operations.map(({ id }) => id).join(', ')]]
}

/** Returns the flags that other machines need, as help for a server beyond loopback. */
function missingFlags({ host, allowHost, controlToken }: ServeFlags): string {
  if (/^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host)) return ''
  const lines = [
    ...(allowHost ? [] : ['--allow-host NAME, for requests that use a host name or another address']),
    ...(controlToken
      ? []
      : ['--control-token TOKEN, for requests to /_sim; without it, only /_sim/health responds']),
  ]
  return lines.length === 0
    ? ''
    : `\nOther machines can reach this server. Missing flags:\n  ${lines.join('\n  ')}\n`
}

/** Formats a request as a line of a log. */
export function formatAnswered({ method, target, status, durationMs }: AnsweredRequest): string {
  return `${method} ${harmless(target)} ${status} ${durationMs.toFixed(1)} ms\n`
}

/** Formats an attempt to deliver an event as a line of a log, e.g. `message.received to http://… 500 3.1 ms, attempt 2 (retry)`. */
function formatDeliveryTry(tried: DeliveryTry): string {
  const { event, url, number, cause, status, error, durationMs } = tried
  const outcome = [status ?? [], error?.code ?? []].flat().join(' ')
  const repeat = number === 1 ? '' : `, attempt ${number} (${cause})`
  const reason = error ? `: ${error.message.replace(/[^ -~]/g, encodeURIComponent)}` : ''
  return `${event} to ${harmless(url)} ${outcome} ${durationMs.toFixed(1)} ms${repeat}${reason}\n`
}

/** Formats the last line. */
function formatFarewell(interrupted: number): string {
  if (interrupted === 0) return '\nStopped.\n'
  return `\nStopped; ${interrupted} ${interrupted === 1 ? 'delivery was' : 'deliveries were'} interrupted.\n`
}

/** Encodes characters beyond ASCII, which may control a terminal. */
function harmless(text: string): string {
  return text.replace(/[^!-~]/g, encodeURIComponent)
}

function exampleRequest(url: string, { apiKey, identities }: RunningServer['simulator']): string {
  const [agent] = identities.list()
  const query = agent ? `agent=${encodeURIComponent(agent.agent_handle)}&limit=5` : 'limit=5'
  const header = `Authorization: Bearer ${apiKey}`.replace(/["$`\\]/g, '\\$&')
  return `curl -H "${header}" "${url}/api/v1/mail/threads?${query}"`
}

function summaryOf(simulator: RunningServer['simulator']): string {
  return `${simulator.scenario}: ${formatSummary(simulator.summary())}`
}
