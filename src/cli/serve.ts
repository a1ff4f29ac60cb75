import type { Command } from 'commander'
import type { AnsweredRequest, DeliveryTry, RunningServer } from '../server/index.js'
import type { ClockMode } from '../world/clock-mode.js'
import { reportFailure } from './failure.js'
import { withProgress } from './progress-line.js'
import {
  formatAnswered,
  formatDeliveryTry,
  formatFarewell,
  formatReady,
  formatReload,
  formatReloaded,
  formatReloadFailed,
  formatStopped,
  formatWelcome,
} from './serve-output.js'
import { addNetworkFlags, addWorldFlags, type ServerFlags, serverOptionsOf } from './server-flags.js'
import { paintFor } from './terminal.js'
import { ScenarioWatch } from './watch.js'

interface ServeFlags extends ServerFlags {
  readonly clock: ClockMode
  readonly watch?: true
  readonly json?: true
  readonly verbose?: true
}

/** Adds the command that serves a scenario over HTTP; it runs where no command is named. */
export function addServe(program: Command): Command {
  const command = program
    .command('serve', { isDefault: true })
    .description('serve a scenario over HTTP (this is what runs when no command is named)')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file', 'support-desk')
  addNetworkFlags(command, 4280)
  return addWorldFlags(command, 'real')
    .option('--watch', 'load the scenario again whenever a file of it changes')
    .optionsGroup('What it says:')
    .option('--json', 'one JSON object a line, the first once it is ready')
    .option('--verbose', 'every request, delivery and stack trace, on the error stream')
    .action(serve)
}

async function serve(scenario: string, flags: ServeFlags): Promise<void> {
  // Loaded here, so that help and wrong flags are answered without it.
  const { startServer } = await import('../server/index.js')
  const server = await withProgress(scenario, flags.json, (onProgress) =>
    startServer({
      scenario,
      ...serverOptionsOf(flags),
      clock: flags.clock,
      onAnswer: flags.verbose && logAnswered,
      onDeliveryTry: flags.verbose && logDeliveryTry,
      onProgress,
    }),
  )
  const watch = flags.watch && watchServed(server.simulator, flags)
  // First, since whoever reads that it is ready may stop it at once.
  stopOnSignal(server, watch, flags.json ? formatStopped : formatFarewell)
  process.stdout.write(flags.json ? formatReady(server) : formatWelcome(server, paintFor(process.stdout)))
}

function logAnswered(request: AnsweredRequest): void {
  process.stderr.write(formatAnswered(request))
}

function logDeliveryTry(tried: DeliveryTry): void {
  process.stderr.write(formatDeliveryTry(tried))
}

function watchServed(simulator: RunningServer['simulator'], { json, verbose }: ServeFlags): ScenarioWatch {
  return new ScenarioWatch(simulator, {
    reloaded: () => void process.stdout.write(json ? formatReloaded(simulator) : formatReload(simulator)),
    failed(error) {
      reportFailure(error, verbose === true)
      process.stderr.write('Not reloaded: what was served before is served on.\n')
      if (json) process.stdout.write(formatReloadFailed(error))
    },
    unwatched(error) {
      process.stderr.write(`Changes of the scenario are not noticed: ${(error as Error).message}\n`)
    },
  })
}

/** Ends the server at the first signal; with the listeners gone, a second one ends the process at once. */
function stopOnSignal(
  server: RunningServer,
  watch: ScenarioWatch | undefined,
  farewell: (server: RunningServer) => string,
): void {
  const stop = async (): Promise<void> => {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    watch?.close()
    await server.close()
    process.stdout.write(farewell(server), () => {
      // Nobody needs the scenario any more that is being loaded, nor the address of a receiver that is being looked up.
      if (watch?.busy || server.interrupted > 0) process.exit()
    })
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}
