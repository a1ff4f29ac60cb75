import { isRead } from '../../service/operations/request.js'
import { uniqueMark } from '../../service/time/wall-time.js'

/**
 * What an agent that is judged may do with the control API: everything; everything but what would change or delete what it
 * is judged by; or nothing.
 */
export type AgentControls = 'all' | 'some' | 'none'

/** What an agent may read with `some`, but not change, by the first part of the path. Nor may it delete anything else. */
const judged: ReadonlySet<string> = new Set([
  'reset',
  'snapshot',
  'journal',
  'assumptions',
  'faults',
  'expectations',
  'threads',
  'worlds',
])

/** The most different requests that are remembered as refused. */
const maxRefused = 100

/** The part of the control API that is left to an agent, which has a token of its own. */
export class AgentAccess {
  readonly token = uniqueMark()
  readonly #controls: AgentControls
  readonly #refused = new Set<string>()

  constructor(controls: AgentControls) {
    this.#controls = controls
  }

  /** The requests that were refused, each once, such as `POST /_sim/reset`. */
  get refused(): readonly string[] {
    return [...this.#refused]
  }

  /** Returns why a request is not left to the agent, in a sentence; undefined if it is. `path` is the whole one. */
  refusal(method: string, path: string): string | undefined {
    if (this.#allows(method, path)) return undefined
    const request = `${method} ${path.split('/', 4).join('/')}`
    if (this.#refused.size < maxRefused) this.#refused.add(request)
    return `${request} is not left to the agent that is judged (--agent-controls ${this.#controls}).`
  }

  #allows(method: string, path: string): boolean {
    if (this.#controls === 'all' || path === '/_sim/health') return true
    const [, place, part = ''] = path.split('/')
    // The tools have no token of their own.
    if (this.#controls === 'none' || place !== '_sim') return false
    return isRead({ method }) || (method !== 'DELETE' && !judged.has(part))
  }
}
