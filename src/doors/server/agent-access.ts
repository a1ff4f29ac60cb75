import { uniqueMark } from '../../service/time/wall-time.js'
import type { ControlRoute, RequestInput } from '../controls/control.js'
import type { Rejection } from '../controls/errors.js'

/** What an agent that is judged may do with the control API: everything; what controls leave to agents; or nothing but ask its health. */
export type AgentControls = 'all' | 'some' | 'none'

/** The most different requests that are remembered as refused. */
const maxRefused = 100

/** The part of the control API that is left to an agent, which has a token of its own. */
export class AgentAccess {
  readonly token = uniqueMark()
  #controls: AgentControls
  readonly #refused = new Set<string>()

  constructor(controls: AgentControls) {
    this.#controls = controls
  }

  /** The requests that were refused, each once, such as `POST /_sim/reset`. */
  get refused(): readonly string[] {
    return [...this.#refused]
  }

  /** Leaves everything to everybody from now on: the agent has been judged. */
  end(): void {
    this.#controls = 'all'
  }

  /** Returns the response to a request for a control, or with an input, that is not left to the agent; undefined if it is. */
  refuse({ route, agents }: Pick<ControlRoute<never>, 'route' | 'agents'>, input?: RequestInput) {
    if (this.#controls === 'all' || route === 'GET /health') return undefined
    const isLeft = typeof agents === 'function' && input ? agents(input) : agents !== undefined
    if (this.#controls === 'some' && isLeft) return undefined
    const request = route.replace(' ', ' /_sim')
    if (this.#refused.size < maxRefused) this.#refused.add(request)
    const what = input && isLeft === false ? `${request} with this body` : request
    const message = `${what} is not left to the agent that is judged; --agent-controls all allows it.`
    return { status: 403, code: 'not_for_agents', message } satisfies Rejection
  }
}
