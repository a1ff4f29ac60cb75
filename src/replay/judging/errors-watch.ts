import { counted } from '../../contract/counted.js'
import { type AnsweredRequest, type ErrorsExpectation, replacesOperation } from '../../world/index.js'

import { type Candidate, candidateOf, nearestOf } from './nearest-exchange.js'
import type { Finding, News, Story, Watch } from './watch.js'

/** Watches for answers with a 4xx status, but for those that a fault gave in the place of the service. */
export class ErrorsWatch implements Watch {
  readonly expected: string
  readonly cameTrue = undefined
  readonly #except: readonly number[]
  readonly #story: Story
  readonly #counts = new Map<number, number>()
  #first: { readonly candidate: Candidate; readonly differences: readonly string[] } | undefined

  constructor({ except }: ErrorsExpectation, story: Story) {
    this.#except = except
    this.#story = story
    this.expected = `no answer with a 4xx status${except.length === 0 ? '' : ` but ${except.join(', ')}`}`
  }

  get decided(): boolean {
    return this.#first !== undefined
  }

  take(news: News): void {
    if (news.type !== 'exchange') return
    const { exchange, moment, answer } = news
    const { status } = exchange
    if (!isMistake(exchange) || this.#except.includes(status)) return
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
    this.#first ??= {
      candidate: candidateOf(exchange, moment),
      differences: this.#differences(exchange, answer()),
    }
  }

  judge(): Finding {
    const { requests } = this.#story
    if (requests === 0) return { passed: true, found: 'no request came', nearest: null }
    const all = counted(requests, 'request')
    const first = this.#first
    if (!first) return { passed: true, found: `none in ${all}`, nearest: null }
    const counts = [...this.#counts]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status} ${times(count)}`)
    return {
      passed: false,
      at: first.candidate.moment.at,
      found: `${counts.join(', ')} in ${all}`,
      nearest: nearestOf(first.candidate, first.differences),
    }
  }

  #differences({ status, near_miss }: AnsweredRequest, body: string | null): string[] {
    const but = this.#except.length === 0 ? '' : ` but ${this.#except.join(', ')}`
    return [
      `status: expected none from 400 to 499${but}, found ${status}`,
      ...(near_miss === null ? [] : [near_miss]),
      ...(body === null || body === '' ? [] : [`answer: ${showBody(body)}`]),
    ]
  }
}

/** Whether an answer says that the client made a mistake: a status that a fault has given says nothing of it. */
function isMistake({ status, fault }: AnsweredRequest): boolean {
  return status >= 400 && status <= 499 && !(fault && replacesOperation(fault))
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
}

/** The body of an answer in a line, cut where it is long. */
function showBody(body: string): string {
  const text = body.replace(/\s+/g, ' ')
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
