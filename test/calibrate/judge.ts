import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { type Calibration, calibrate } from '../../src/live/calibrate/calibrate.js'
import type { Fetch } from '../../src/live/service-client.js'
import { instanceOf } from './instance.js'

/** The claims of a calibration with the true assumptions. */
export interface Judged {
  readonly calibration: Calibration
  /** Claims that are false, in sentences. */
  readonly wrong: readonly string[]
  /** The gaps about which something is claimed. */
  readonly learned: readonly string[]
  readonly simulator: Simulator
  /** Whether nothing was changed. */
  readonly isUnchanged: boolean
}

/** Calibrates a simulator with unknown assumptions, optionally through a proxy. */
export async function judge(
  scenario: object | string,
  assumptions: string | Record<string, string>,
  {
    apiKey = 'rich-key',
    allowWrites = false,
    proxy = (fetch) => fetch,
    agent,
  }: {
    readonly apiKey?: string
    readonly allowWrites?: boolean
    readonly proxy?: (fetch: Fetch, simulator: Simulator) => Fetch
    readonly agent?: string
  } = {},
): Promise<Judged> {
  const { simulator, fetch } = await instanceOf(scenario, assumptions, apiKey)
  const before = writtenIn(simulator)
  const calibration = await calibrate({
    ...{ baseUrl: 'http://mail.test', apiKey, agent, allowWrites },
    fetch: proxy(fetch, simulator),
    // A service that limits requests allows more of them in time.
    wait: (milliseconds) => simulator.clock.advance(Math.ceil(milliseconds)),
    rate: 1_000_000,
    maxRequests: 300,
  })
  const truth: Readonly<Record<string, string>> = simulator.assumptions.current()
  const claims = calibration.findings.filter(({ assumption }) => assumption !== undefined)
  const wrong = claims.flatMap(({ gap, assumption, because }) => {
    return assumption === truth[gap] ? [] : [`${gap} is ${truth[gap]}, not ${assumption}: ${because}`]
  })
  const isUnchanged = writtenIn(simulator) === before
  return { calibration, wrong, learned: claims.map(({ gap }) => gap), simulator, isUnchanged }
}

/** What a world has written, whatever time it is. */
function writtenIn(simulator: Simulator): string {
  const { rows, deleted } = simulator.snapshot()
  return JSON.stringify([rows, deleted])
}
