import { counted } from '../../contract/counted.js'
import { type GapId, gaps } from '../../contract/gaps.js'
import type { OperationName } from '../../contract/operations.js'
import { formatDelivery } from '../../simulator/delivery-line.js'
import {
  cameToSomebody,
  formatInstant,
  parseInstant,
  type Reliance,
  type ReliancesExpectation,
} from '../../world/index.js'

import { candidateOf, nearestOf } from './nearest-exchange.js'
import type { Finding, Nearest, News, Story, Watch } from './watch.js'

/** What relied on a gap. */
interface Relied {
  readonly reading: string
  requests: number
  readonly operations: Set<OperationName>
  /** Ids: each is heard of several times. */
  readonly deliveries: Set<string>
}

/** What relied on gaps, in the order in which these first came up. */
type ReliedByGap = Map<GapId, Relied>

type Relying = Exclude<News, { readonly type: 'state' }>

/** So many gaps are named where there is a line for all; so many have a line each. */
const [mostNamed, mostLines] = [3, 20]

/** Watches for exchanges and deliveries that rely on other gaps than some. */
export class ReliancesWatch implements Watch {
  readonly expected: string
  readonly cameTrue = undefined
  readonly #allowed: readonly GapId[]
  readonly #story: Story
  readonly #beyond: ReliedByGap = new Map()
  #first: Nearest | undefined

  constructor({ gaps: allowed }: ReliancesExpectation, story: Story) {
    this.#allowed = allowed
    this.#story = story
    this.expected = `no reliance on any gap${allowed.length === 0 ? '' : ` but ${allowed.join(', ')}`}`
  }

  get decided(): boolean {
    return this.#first !== undefined
  }

  take(news: News): void {
    if (news.type === 'state' || !isRelyingUpon(news)) return
    const { reliances } = news.type === 'exchange' ? news.exchange : news.delivery
    for (const reliance of reliances) {
      if (this.#allowed.includes(reliance.gap)) continue
      note(this.#beyond, reliance, news)
      this.#first ??= this.#nearest(news)
    }
  }

  judge(): Finding {
    const beyond = this.#withUntold()
    if (beyond.size === 0) return { passed: true, found: this.#whatIsAllowed(), nearest: null }
    const first = this.#first
    return {
      passed: false,
      at: first && parseInstant(first.at),
      found: namesOf([...beyond.keys()]),
      nearest: first ? { ...first, differences: linesOf(beyond) } : null,
    }
  }

  /** What subscriptions were not told of, as one reading has it, leaves no delivery to be seen. */
  #withUntold(): ReliedByGap {
    const beyond = new Map(this.#beyond)
    for (const { gap, reading } of this.#story.simulator.reliances()) {
      const isKnown = this.#allowed.includes(gap as GapId) || beyond.has(gap as GapId)
      if (!isKnown) beyond.set(gap as GapId, unseen(reading))
    }
    return beyond
  }

  #whatIsAllowed(): string {
    const relied = new Set(this.#story.simulator.reliances().map(({ gap }) => gap))
    return relied.size === 0 ? 'no reliance' : [...relied].join(', ')
  }

  #nearest(news: Relying): Nearest {
    if (news.type === 'exchange') return nearestOf(candidateOf(news.exchange, news.moment))
    const line = formatDelivery(news.delivery)
    return { line, exchange: null, at: formatInstant(news.moment.at), differences: [] }
  }
}

/** Whether somebody got it: on a delivery that reached no receiver, nobody relied. */
function isRelyingUpon(news: Relying): boolean {
  if (news.type === 'exchange') return true
  return news.delivery.attempts.some(
    ({ duration_ms, error }) => duration_ms !== null && cameToSomebody(error),
  )
}

function unseen(reading: string): Relied {
  return { reading, requests: 0, operations: new Set(), deliveries: new Set() }
}

function note(beyond: ReliedByGap, { gap, reading }: Reliance, news: Relying): void {
  const relied = beyond.get(gap) ?? unseen(reading)
  beyond.set(gap, relied)
  if (news.type === 'delivery') {
    relied.deliveries.add(news.delivery.id)
    return
  }
  relied.requests++
  if (news.exchange.operation !== null) relied.operations.add(news.exchange.operation)
}

/** The gaps in a line; of many, the first few. */
function namesOf(all: readonly GapId[]): string {
  const more = all.length - mostNamed
  return more < 2 ? all.join(', ') : `${all.slice(0, mostNamed).join(', ')} and ${more} more`
}

/** For each gap how it was read, what relied on it, and what would be better. */
function linesOf(beyond: ReliedByGap): string[] {
  const lines = [...beyond].map(([gap, relied]) => {
    return `${gap}: read ${relied.reading}, in ${describeRelied(relied)}. ${gaps[gap].advice}`
  })
  const more = lines.length - mostLines
  return more < 1 ? lines : [...lines.slice(0, mostLines), `and ${more} more`]
}

function describeRelied({ requests, operations, deliveries }: Relied): string {
  const by = operations.size === 0 ? '' : ` of ${[...operations].join(', ')}`
  const parts = [
    ...(requests === 0 ? [] : [`${counted(requests, 'request')}${by}`]),
    ...(deliveries.size === 0 ? [] : [counted(deliveries.size, 'delivery', 'deliveries')]),
  ]
  return parts.length === 0 ? 'an event that a subscription was not told of' : parts.join(' and ')
}
