import { loadScenario } from '../scenario/index.js'
import { type ServerOptions, startServer } from '../server/index.js'
import { wantedLayers } from '../simulator/wanted-readings.js'
import { stopwatch } from '../world/index.js'
import type { Replayed, ReplayOptions } from './options.js'
import { Playthrough } from './playthrough.js'
import { RequestsHeard } from './readiness.js'
import type { ReplayReport } from './report.js'
import { Tapes } from './tapes.js'

/**
 * Plays a story against an agent, on a server of its own, and reports what became of everything it expects.
 * @throws ScenarioError, ReadingError, ServerError, TapeError, ReplayError
 * @example const report = await replay({ scenario: 'refund-request', command: ['python', 'my_agent.py'] })
 */
export async function replay(options: ReplayOptions): Promise<ReplayReport> {
  const { report, server } = await replayAndKeep(options)
  await server.close()
  return report
}

/** The same, with the server left as it was at the end, for whoever wants to look; it is the caller's to close. */
export async function replayAndKeep(options: ReplayOptions): Promise<Replayed> {
  const elapsed = stopwatch()
  const { scenario = 'support-desk', seed, readings, onProgress } = options
  const tapes = new Tapes(options)
  const beginning = await loadScenario(scenario, { seed, readings: wantedLayers(readings), onProgress })
  tapes.check(beginning)
  const requests = new RequestsHeard()
  const server = await startServer({ ...serverOptions(options), beginning, onAnswer: () => requests.note() })
  try {
    const playthrough = new Playthrough({ server, beginning, tapes, options, requests })
    const report = await playthrough.play()
    return { report: { ...report, wall_ms: Math.round(elapsed()) }, server }
  } catch (error) {
    await server.close()
    throw error
  }
}

/** The clock stands still until the story begins. */
function serverOptions({ scenario, seed, readings, port = 0, ...options }: ReplayOptions): ServerOptions {
  const { host, allowHosts, controlToken, allowDeliveriesTo, trace } = options
  const network = { port, host, allowHosts, controlToken, allowDeliveriesTo }
  return { scenario, seed, readings, trace, ...network, clock: 'frozen' }
}
