import type { Constraint } from './elimination.js'
import { type KnownPage, type MailboxView, nameOfScope } from './mailbox-view.js'

/** What the totals of lists show, taken together. */
export function totalConstraints(view: MailboxView): Constraint[] {
  return (['threads', 'messages'] as const).flatMap((list) => {
    const pages = view.pages.filter((page) => page.list === list)
    if (pages.length === 0) return []
    const target = `${list}.total` as const
    const odd = pages.find(({ total }) => !Number.isInteger(total) || (total as number) < 0)
    if (odd) {
      const seen = `total is ${JSON.stringify(odd.total) ?? 'missing'}, which is no count`
      return [{ target, explanations: [], exchanges: [odd.exchange], seen }]
    }
    const whole = list === 'threads' ? 'all-threads' : 'all-messages'
    const explained = [
      ...(countsMatches(pages, view) ? ['all-matches'] : []),
      ...(pages.every(({ rows, total }) => total === rows.length) ? ['page-size'] : []),
      ...(countsAll(pages, view) ? [whole] : []),
    ]
    const seen = pages.map(({ scope, rows, total }) => `${rows.length} of ${nameOfScope(scope)}: ${total}`)
    return [
      {
        target,
        explanations: explained.map((name) => ({ [target]: name })),
        exchanges: pages.map(({ exchange }) => exchange),
        seen: `totals: ${[...new Set(seen)].slice(0, 6).join('; ')}`,
      },
    ]
  })
}

/** Whether every total can be the number of rows that match. */
function countsMatches(pages: readonly KnownPage[], view: MailboxView): boolean {
  const counts = new Map<string, number>()
  for (const { list, scope, total } of pages) {
    const name = nameOfScope(scope)
    const [least, most] = view.bounds(list, scope)
    const count = total as number
    if (count < least || count > most || (counts.get(name) ?? count) !== count) return false
    counts.set(name, count)
  }
  const all = counts.get('all')
  const agents = [...counts].filter(([name]) => /^agents \S+$/.test(name))
  return all === undefined || agents.reduce((sum, [, count]) => sum + count, 0) <= all
}

/** Whether every total can be the number of all rows of the organization. */
function countsAll(pages: readonly KnownPage[], view: MailboxView): boolean {
  const [{ list, total }] = pages as readonly [KnownPage, ...KnownPage[]]
  const [least, most] = view.bounds(list, { of: 'all' })
  const rows = list === 'threads' ? view.threads : view.messages
  const count = total as number
  return pages.every((page) => page.total === total) && count >= Math.max(least, rows.size) && count <= most
}
