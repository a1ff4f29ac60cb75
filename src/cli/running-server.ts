import { statSync } from 'node:fs'
import type { Command } from 'commander'
import type { AnsweredRequest } from '../doors/server/request-listener.js'
import {
  type DeliveryTry,
  openServer,
  type RunningServer,
  type ServerOptions,
} from '../doors/server/start-server.js'
import { openState } from '../doors/state/logged-worlds.js'
import type { ClockMode } from '../service/time/time.js'
import { Timers } from '../service/time/wall-time.js'
import { decidesLife } from '../story/story.js'
import { InputError, problemsOf, reportFailure } from './failure.js'
import {
  addNetworkFlags,
  addWorldFlags,
  collectText,
  type FlagsFor,
  optionsOf,
  patienceOption,
  thisSecond,
  tokenOption,
} from './flags.js'
import { formatSummary, sanitize, sanitizeLine, withLoadingLine } from './terminal.js'

/** The flags of a server that runs until it is stopped. */
export interface ServerFlags extends FlagsFor<ServerOptions> {
  readonly clock: ClockMode
  readonly host: string
  readonly state?: string
  readonly stateReset?: true
  readonly watch?: true
  readonly json?: true
  readonly verbose?: true
}

/** Adds the flags of a server that runs until it is stopped. */
export function addServerFlags(command: Command, port: number): Command {
  addNetworkFlags(command, port)
    .optionsGroup('Where it listens:')
    .option(
      '--allow-host <name>',
      'another host name that requests may use, .name for all below it (repeatable)',
      collectText,
    )
    .addOption(tokenOption('--control-token', 'the bearer token that requests to /_sim must carry'))
  return addWorldFlags(command, 'real')
    .addOption(patienceOption())
    .optionsGroup('State:')
    .option('--state <place>', 'keep every change in a folder, or in redis://host[:port][/db]')
    .option('--state-reset', 'delete what was kept and start over')
    .optionsGroup('What it simulates:')
    .option('--watch', 'reload the scenario whenever one of its files changes')
}

/** Starts the server that flags describe. @throws what `openServer` throws, StateError, InputError */
export async function startServed(scenario: string, flags: ServerFlags): Promise<RunningServer> {
  const state = stateOf(flags)
  // What the real clock shows. Servers that share a state would each have a different now.
  const isNow = flags.start === undefined && flags.clock === 'real' && state === undefined
  const defaultStart = isNow ? thisSecond() : undefined
  const server = await withLoadingLine(scenario, (onProgress) =>
    openServer({
      ...{ scenario, ...optionsOf(flags), defaultStart, state },
      onAnswer: flags.verbose && ((request) => void process.stderr.write(formatAnswered(request))),
      onDeliveryTry: flags.verbose && ((tried) => void process.stderr.write(formatDeliveryTry(tried))),
      onHint: (hint) => void process.stderr.write(`hint: ${hint}\n`),
      onProgress,
    }),
  )
  const { assumptions, view } = server.simulator
  // Any page that is open in a browser of this machine is "another origin".
  if (assumptions.current()['format.cors'] === 'permissive') {
    const from = assumptions.origins()['format.cors']
    logWarning(`format.cors is permissive (${from}): any web page open on this machine can read the mail.`)
  }
  if (decidesLife(view.story))
    logWarning(
      'The story has entries with "agent", which have no effect here, since serve starts no program; replay does, with the command of the agent after --.',
    )
  return server
}

/** Opens the state that the flags name; undefined if they name none. @throws StateError, InputError */
function stateOf({ state: place, stateReset: reset, watch }: ServerFlags) {
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

/** The milliseconds between two looks at the files of a scenario. */
const watchInterval = 120

/**
 * Reloads the scenario of a server whenever one of its files changes, and says so on a stream; returns what ends that. It polls the
 * files, which also works where the system reports no changes, as in containers and on network drives.
 */
function watchServed(
  simulator: RunningServer['simulator'],
  { json, verbose }: ServerFlags,
  output: NodeJS.WritableStream,
): () => void {
  const timers = new Timers()
  let isClosed = false
  const watch = async (): Promise<void> => {
    let loaded = stampsOf(simulator.files)
    let before = loaded
    for (;;) {
      await timers.wait(watchInterval)
      if (isClosed) return
      const { files } = simulator
      const now = stampsOf(files)
      // A file that still changes is only half written.
      const isWritten = now === before
      before = now
      if (now === loaded || !isWritten) continue
      const failed = await simulator.reload().catch((error: unknown) => ({ error }))
      if (isClosed) return
      // A change during the read may be missing from it; one after it may come as soon as somebody is told.
      loaded = stampsOf(files) === now ? stampsOf(simulator.files) : now
      if (failed) {
        reportFailure(failed.error, verbose === true)
        process.stderr.write('Not reloaded: the server keeps serving the previous version.\n')
        if (json) output.write(formatEvent('reload-failed', { problems: problemsOf(failed.error) }))
      } else {
        const { scenario, seed } = simulator
        const text = sanitize(`Reloaded: ${summaryOf(simulator)}\n`)
        output.write(json ? formatEvent('reloaded', { scenario, seed }) : text)
      }
    }
  }
  void watch()
  return () => {
    isClosed = true
    timers.end()
  }
}

/** Returns a text that changes whenever one of the files changes. */
function stampsOf(files: readonly URL[]): string {
  const stamps = files.map((url) => {
    const { ino, size, mtimeMs, ctimeMs } = statSync(url, { throwIfNoEntry: false }) ?? {}
    return [ino, size, mtimeMs, ctimeMs].join(' ')
  })
  return stamps.join('\n')
}

/** Formats a line that notifies programs of an event. */
export function formatEvent(event: string, facts: object): string {
  return `${JSON.stringify({ event, ...facts })}\n`
}

/** Milliseconds for which SIGTERM waits for the responses to requests that have arrived. */
const longestDrain = 5000

/**
 * Runs the server, which tells on a stream what it reloads, until the first signal, or until the returned function is called; a second signal ends the
 * process immediately. SIGTERM, which process managers send, drains requests; Ctrl-C does not wait.
 */
export function runUntilStopped(
  server: RunningServer,
  flags: ServerFlags,
  output: NodeJS.WritableStream,
  farewell: (server: RunningServer) => string,
): () => Promise<void> {
  const stopWatch = flags.watch && watchServed(server.simulator, flags, output)
  const stop = async (signal?: NodeJS.Signals): Promise<void> => {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    if (stopWatch) stopWatch()
    await server.close({ drain: signal === 'SIGTERM' ? longestDrain : 0 })
    process.stdout.write(farewell(server), () => {
      // A receiver's address that is being resolved would delay the exit.
      if (server.interrupted > 0) process.exit()
    })
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return stop
}

/** Formats the line that tells programs that a server is ready. */
export function formatReady({ url, controlUrl, simulator }: RunningServer): string {
  const { scenario, seed, start } = simulator
  return formatEvent('ready', { url, control: controlUrl, scenario, seed, pid: process.pid, start })
}

/** Formats a request as a line of a log. */
export function formatAnswered({ method, target, status, durationMs }: AnsweredRequest): string {
  return `${sanitizeLine(`${method} ${target} ${status} ${durationMs.toFixed(1)} ms`)}\n`
}

/** Formats an attempt to deliver an event as a line of a log, e.g. `message.received to http://… 500 3.1 ms, attempt 2 (retry)`. */
function formatDeliveryTry(tried: DeliveryTry): string {
  const { event, url, number, cause, status, error, durationMs } = tried
  const outcome = [status ?? [], error?.code ?? []].flat().join(' ')
  const repeat = number === 1 ? '' : `, attempt ${number} (${cause})`
  const reason = error ? `: ${error.message}` : ''
  return `${sanitizeLine(`${event} to ${url} ${outcome} ${durationMs.toFixed(1)} ms${repeat}${reason}`)}\n`
}

export function summaryOf(simulator: RunningServer['simulator']): string {
  return `${simulator.scenario}: ${formatSummary(simulator.summary())}`
}
