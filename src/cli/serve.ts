import type { Command } from 'commander'
import type { AnsweredRequest, RunningServer } from '../server/index.js'
import type { ClockMode } from '../world/clock-mode.js'
import { reportFailure } from './failure.js'
import { collectName, parseClock, parsePort, parseSeed, parseToken } from './flag-values.js'
import { withProgress } from './progress-line.js'
import { layersOfFlags, type ReadingsFlags, readingOption, readingsOption } from './readings-flags.js'
import {
  formatAnswered,
  formatReady,
  formatReload,
  formatReloaded,
  formatReloadFailed,
  formatWelcome,
} from './serve-output.js'
import { paintFor } from './terminal.js'
import { ScenarioWatch } from './watch.js'

interface ServeFlags extends ReadingsFlags {
  readonly port: number
  readonly host: string
  readonly allowHost?: string[]
  readonly controlToken?: string
  readonly seed?: number
  readonly clock: ClockMode
  readonly watch?: true
  readonly json?: true
  readonly verbose?: true
}

/** Adds the command that serves a scenario over HTTP; it runs where no command is named. */
export function addServe(program: Command): Command {
  return program
    .command('serve', { isDefault: true })
    .description('serve a scenario over HTTP (this is what runs when no command is named)')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file', 'support-desk')
    .optionsGroup('Where it listens:')
    .option('--port <number>', 'port; 0 takes a free one', parsePort, 4280)
    .option('--host <address>', 'address; 0.0.0.0 lets other machines in', '127.0.0.1')
    .option('--allow-host <name>', 'a further name requests may ask for (repeatable)', collectName)
    .option('--control-token <token>', 'what requests to /_sim must bring as bearer token', parseToken)
    .optionsGroup('What it simulates:')
    .option('--seed <number>', "stands in for the scenario's seed", parseSeed)
    .addOption(readingsOption())
    .addOption(readingOption())
    .option('--clock <mode>', 'real, frozen, or a speed such as 10x', parseClock, 'real')
    .option('--watch', 'load the scenario again whenever a file of it changes')
    .optionsGroup('What it says:')
    .option('--json', 'one JSON object a line, the first once it is ready')
    .option('--verbose', 'every request, and stack traces, on the error stream')
    .action(serve)
}

async function serve(scenario: string, flags: ServeFlags): Promise<void> {
  // Loaded here, so that help and wrong flags are answered without it.
  const { startServer } = await import('../server/index.js')
  const server = await withProgress(scenario, flags.json, (onProgress) =>
    startServer({
      scenario,
      port: flags.port,
      host: flags.host,
      allowHosts: flags.allowHost,
      controlToken: flags.controlToken,
      seed: flags.seed,
      readings: layersOfFlags(flags),
      clock: flags.clock,
      onAnswer: flags.verbose && logAnswered,
      onProgress,
    }),
  )
  const watch = flags.watch && watchServed(server.simulator, flags)
  // First, since whoever reads that it is ready may stop it at once.
  stopOnSignal(server, watch, flags.json ? '{"event":"stopped"}\n' : '\nStopped.\n')
  process.stdout.write(flags.json ? formatReady(server) : formatWelcome(server, paintFor(process.stdout)))
}

function logAnswered(request: AnsweredRequest): void {
  process.stderr.write(formatAnswered(request))
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
function stopOnSignal(server: RunningServer, watch: ScenarioWatch | undefined, farewell: string): void {
  const stop = async (): Promise<void> => {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    watch?.close()
    await server.close()
    process.stdout.write(farewell, () => {
      // Nobody needs the scenario any more that is being loaded.
      if (watch?.busy) process.exit()
    })
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}
