import { loadScenario } from '../scenario/index.js'
import { startServer } from '../server/index.js'
import { requestedLayers } from '../simulator/scenario-loader.js'
import type { Replayed, ReplayOptions } from './options.js'
import { RequestActivity } from './readiness.js'
import type { ReplayReport } from './report.js'
import { ReplaySession } from './session.js'
import { Tapes } from './tapes/tapes.js'

/**
 * Plays a story against an agent, on a server of its own, and reports the results of everything it expects.
 * @throws ScenarioError, ReadingError, ServerError, TapeError, ReplayError
 * @example const report = await replay({ scenario: 'refund-request', command: ['python', 'my_agent.py'] })
 */
export async function replay(options: ReplayOptions): Promise<ReplayReport> {
  const { report, server } = await replayAndKeep(options)
  await server.close()
  return report
}

/** Does the same, and leaves the server as it was at the end; the caller has to close it. */
export async function replayAndKeep(options: ReplayOptions): Promise<Replayed> {
  const { scenario = 'support-desk', seed, readings, allowFiles, onProgress, port = 0 } = options
  const { host, allowHosts, controlToken, allowDeliveriesTo, trace } = options
  const tapes = new Tapes(options)
  const { extend, deliveryFormat } = options
  const common = { extend, deliveryFormat, allowFiles }
  const loading = { seed, readings: requestedLayers(readings), onProgress, ...common }
  const initialState = options.initialState ?? (await loadScenario(scenario, loading))
  await tapes.begin(initialState)
  const activity = new RequestActivity()
  try {
    const server = await startServer({
      ...{ scenario, seed, readings, initialState, ...common },
      ...{ port, host, allowHosts, controlToken, allowDeliveriesTo, trace },
      // Time stands still until the story begins.
      clock: 'frozen',
      onAnswer: () => activity.note(),
    })
    try {
      const report = await new ReplaySession({ server, initialState, tapes, options, activity }).play()
      return { report, server }
    } catch (error) {
      await server.close()
      throw error
    }
  } finally {
    await tapes.discard()
  }
}
