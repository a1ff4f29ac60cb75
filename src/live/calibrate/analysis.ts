import { type GapId, gapIds } from '../../contract/gaps.js'
import { contentConstraints } from './contents.js'
import {
  type Candidates,
  type Constraint,
  type Elimination,
  eliminate,
  enumerate,
  shows,
} from './elimination.js'
import {
  describeExchange,
  type Fields,
  objectOf,
  type ProbeExchange,
  rowsOf,
  shownValue,
} from './exchange.js'
import { describeRows, type KnownPage, MailboxView, nameOfScope } from './mailbox-view.js'
import { orderConstraints } from './orders.js'
import { predict } from './predict.js'
import { anything, type Comparison, type Prediction, pageIn } from './predictions.js'

/** An exchange, and the gap that it probed; undefined if it only explored the mailbox. */
export interface Probed {
  readonly exchange: ProbeExchange
  readonly gap: GapId | undefined
  /** The identity before an update, or the thread before its messages were listed. */
  readonly before?: Fields | undefined
  /** Whether it no longer counts: mail has arrived since, so it cannot be compared with the others. */
  readonly isVoid?: true
}

/** The conclusions from the exchanges so far. */
export interface Analysis extends Elimination {
  readonly view: MailboxView
}

/** The maximum number of rounds in which conclusions lead to further conclusions; usually two suffice. */
const rounds = 5

/** Determines from exchanges what the mailbox contains and which assumptions are still possible. */
export function analyze(all: readonly Probed[], further: readonly Constraint[] = []): Analysis {
  const probed = all.filter(({ isVoid }) => !isVoid)
  const exchanges = probed.map(({ exchange }) => exchange)
  const shown = contentConstraints(exchanges)
  let before: Elimination | undefined
  for (let round = 0; ; round++) {
    const view = viewOf(exchanges, before?.candidates)
    const webhooks = exchanges.find(isWholeListOfWebhooks)?.number
    const constraints = [
      ...shown,
      ...totalConstraints(view),
      ...orderConstraints(view, webhooks),
      ...probed.flatMap((one) => explain(one, view)),
      ...further,
    ]
    const result = eliminate(gapIds, constraints)
    if (round === rounds || (before && sameCandidates(before.candidates, result.candidates))) {
      return { ...result, view }
    }
    before = result
  }
}

function sameCandidates(a: Candidates, b: Candidates): boolean {
  return gapIds.every((gap) => a[gap].length === b[gap].length)
}

function isWholeListOfWebhooks({ request, answer }: ProbeExchange): boolean {
  return (
    request.target === '/api/v1/webhooks' && request.key === 'own' && rowsOf(answer, 'webhooks') !== undefined
  )
}

/** Collects what the exchanges show of the mailbox. */
function viewOf(exchanges: readonly ProbeExchange[], candidates: Candidates | undefined): MailboxView {
  const view = new MailboxView()
  for (const { request, answer } of exchanges) {
    if (request.method !== 'GET' || request.key !== 'own' || answer.status !== 200) continue
    const identity = objectOf(answer)
    const { agent_handle: handle, mailbox_address: mailbox } = (identity ?? {}) as Record<string, unknown>
    if (identity && typeof handle === 'string' && typeof mailbox === 'string' && !view.agents.has(handle)) {
      view.agents.set(handle, { handle, mailbox, identity })
    }
  }
  const whole = exchanges.find(isWholeListOfWebhooks)
  view.webhooks = whole && rowsOf(whole.answer, 'webhooks')
  for (const exchange of exchanges) {
    const page = certainPage(exchange, view, candidates)
    if (page) view.add(page)
  }
  for (const list of ['threads', 'messages'] as const) {
    const [assumption, ...others] = candidates?.[`${list}.total`] ?? []
    if (others.length > 0) continue
    for (const { scope, total, ...page } of view.pages) {
      if (page.list !== list || !Number.isInteger(total)) continue
      if (assumption === 'all-matches') view.list(list, scope).exact = total as number
      else if (assumption?.startsWith('all-')) view.list(list, { of: 'all' }).exact = total as number
    }
  }
  return view
}

/** Returns the page that an exchange shows; undefined if its explanations disagree about it. */
function certainPage(
  exchange: ProbeExchange,
  view: MailboxView,
  candidates: Candidates | undefined,
): KnownPage | undefined {
  const { request, answer } = exchange
  if (request.key !== 'own' || request.method !== 'GET') return undefined
  if (!rowsOf(answer, 'threads') && !rowsOf(answer, 'messages')) return undefined
  const possible = explanationsOf(exchange, view, { lenient: new Set() }, candidates)
  const pages = possible.map(({ prediction }) => pageIn(prediction, exchange))
  const [first] = pages
  const same = pages.every((page) => page && first && nameOfPage(page) === nameOfPage(first))
  return same ? first : undefined
}

function nameOfPage({ list, scope, offset, limit }: KnownPage): string {
  return `${list} ${nameOfScope(scope)} ${offset} ${limit}`
}

/** The gaps that the comparison ignores, tried in turn, when nothing explains the whole response. */
const leniencies: readonly (readonly GapId[])[] = [
  [],
  ['errors.not-found-code'],
  ['errors.body'],
  ['threads.order'],
  ['messages.order'],
]

/** Returns the constraints that an exchange puts on assumptions. */
function explain({ exchange, gap, before }: Probed, view: MailboxView): Constraint[] {
  const seen = describeExchange(exchange)
  for (const lenient of leniencies) {
    const explanations = explanationsOf(exchange, view, { lenient: new Set(lenient), before }).map(
      ({ chosen }) => chosen,
    )
    if (explanations.length === 0) continue
    const target = gap ?? 'errors.body'
    const misfits = lenient.map((other) => shows(other, [], [exchange], seen))
    return [...misfits, { ...shows(target, [], [exchange], seen), explanations }]
  }
  return gap === undefined ? [] : [shows(gap, [], [exchange], seen)]
}

function explanationsOf(
  { request, answer }: ProbeExchange,
  view: MailboxView,
  how: Pick<Comparison, 'lenient' | 'before'>,
  only: Partial<Candidates> = {},
): { readonly chosen: Constraint['explanations'][number]; readonly prediction: Prediction }[] {
  const runs = enumerate((choose) => {
    const prediction = predict(request, view, choose)
    if (!prediction.fits({ answer, view, choose, ...how })) return undefined
    const allowed = answer.headers['access-control-allow-origin']
    if (request.headers?.['origin'] !== undefined && prediction !== anything) {
      const expected = choose('format.cors') === 'permissive' ? '*' : undefined
      if (allowed !== expected) return undefined
    }
    return prediction
  }, only)
  return runs.flatMap(({ chosen, result }) => (result ? [{ chosen, prediction: result }] : []))
}

/** Returns the constraints that all totals of a list together put on assumptions. */
function totalConstraints(view: MailboxView): Constraint[] {
  return (['threads', 'messages'] as const).flatMap((list) => {
    const pages = view.pages.filter((page) => page.list === list)
    if (pages.length === 0) return []
    const target = `${list}.total` as const
    const odd = pages.find(({ total }) => !Number.isInteger(total) || (total as number) < 0)
    if (odd) {
      const seen = `total is ${odd.total === undefined ? 'missing' : shownValue(odd.total)}, which is not a count`
      return [shows(target, [], [odd], seen)]
    }
    const whole = list === 'threads' ? 'all-threads' : 'all-messages'
    const explained = [
      ...(countsMatches(pages, view) ? ['all-matches'] : []),
      ...(pages.every(({ rows, total }) => total === rows.length) ? ['page-size'] : []),
      ...(countsAll(pages, view) ? [whole] : []),
    ]
    const seen = pages.map(
      ({ scope, rows, total }) => `${total} with ${describeRows(rows.length, list, scope)}`,
    )
    return [shows(target, explained, pages, `total is ${[...new Set(seen)].slice(0, 6).join(', ')}`)]
  })
}

/** Returns whether every total can be the number of matching rows. */
function countsMatches(pages: readonly KnownPage[], view: MailboxView): boolean {
  const counts = new Map<string, number>()
  for (const { list, scope, total } of pages) {
    const name = nameOfScope(scope)
    const [minimum, maximum] = view.bounds(list, scope)
    const count = total as number
    if (count < minimum || count > maximum || (counts.get(name) ?? count) !== count) return false
    counts.set(name, count)
  }
  const all = counts.get('all')
  const agents = [...counts].filter(([name]) => /^agents \S+$/.test(name))
  return all === undefined || agents.reduce((sum, [, count]) => sum + count, 0) <= all
}

/** Returns whether every total can be the number of all rows of the organization. */
function countsAll(pages: readonly KnownPage[], view: MailboxView): boolean {
  const [{ list, total }] = pages as readonly [KnownPage, ...KnownPage[]]
  const [minimum, maximum] = view.bounds(list, { of: 'all' })
  const rows = list === 'threads' ? view.threads : view.messages
  const count = total as number
  return (
    pages.every((page) => page.total === total) && count >= Math.max(minimum, rows.size) && count <= maximum
  )
}
