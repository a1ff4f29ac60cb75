import type { Need } from '../../src/contract/gaps/gap.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { type Calibration, calibrate } from '../../src/live/calibrate/calibrate.js'
import { findingsOf, type GapFinding } from '../../src/live/calibrate/findings.js'
import type { Fetch } from '../../src/live/calibrate/service-client.js'
import { instanceOf } from './instance.js'

/** The claims of a calibration with the true assumptions. */
export interface Judged {
  readonly calibration: Calibration
  readonly findings: readonly GapFinding[]
  /** Gaps with a false claim. */
  readonly wrong: readonly string[]
  readonly learned: readonly string[]
  readonly isUnchanged: boolean
  /** Returns the name and the description of the agent `support`. */
  readonly identity: () => object
}

/** Calibrates a simulator with unknown assumptions, optionally through a proxy. */
export async function judge(
  scenario: object | string,
  assumptions: string | Record<string, string>,
  {
    apiKey = 'rich-key',
    needs = ['reads'],
    proxy = (fetch) => fetch,
    agent,
  }: {
    readonly apiKey?: string
    readonly needs?: readonly Need[]
    readonly proxy?: (fetch: Fetch, simulator: Simulator) => Fetch
    readonly agent?: string
  } = {},
): Promise<Judged> {
  const { simulator, fetch } = await instanceOf(scenario, assumptions, apiKey)
  const digest = simulator.digest()
  const wanted = new Set(needs)
  const calibration = await calibrate({
    ...{ baseUrl: 'http://mail.test', apiKey, agent, needs: wanted },
    fetch: proxy(fetch, simulator),
    wait: async () => undefined,
    rate: 1_000_000,
    maxRequests: 300,
  })
  const findings = findingsOf(calibration, wanted)
  const truth: Readonly<Record<string, string>> = simulator.assumptions.current()
  const wrong = findings.flatMap(({ gap, status, candidates, because }) => {
    const isWrong = status === 'none-fits' || !candidates.includes(truth[gap] as string)
    return isWrong ? [`${gap} is ${truth[gap]}, not ${candidates.join(' or ') || 'none'}: ${because}`] : []
  })
  const identity = (): object => {
    const { display_name, description } = simulator.identities.get('support') ?? {}
    return { display_name, description }
  }
  const learned = findings.flatMap(({ gap, status }) => (status === 'learned' ? [gap] : []))
  const isUnchanged = simulator.digest() === digest
  return { calibration, findings, wrong, learned, isUnchanged, identity }
}

/** A service with changed lists: `change` gets the body of every 200 answer to such a path. */
export function changing(
  path: string,
  change: (body: Record<string, unknown>) => object,
): (fetch: Fetch) => Fetch {
  return (fetch) => async (request) => {
    const response = await fetch(request)
    if (response.status !== 200 || new URL(request.url).pathname !== path) return response
    const body = (await response.json()) as Record<string, unknown>
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return new Response(JSON.stringify(change(body)), { status: 200, headers })
  }
}
