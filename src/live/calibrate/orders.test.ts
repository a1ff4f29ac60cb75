import { expect, it } from 'vitest'
import { MailboxView } from './mailbox-view.js'
import { orderConstraints } from './orders.js'

/** Returns the assumptions that pages of threads leave, created at these minutes. */
function assumptionsLeft(...pages: readonly (readonly number[])[]): readonly (readonly string[])[] {
  const view = new MailboxView()
  for (const [number, minutes] of pages.entries()) {
    const rows = minutes.map((minute) => {
      const at = `2026-01-05T09:${String(minute).padStart(2, '0')}:00Z`
      return { id: `thrd_${minute}`, created_at: at, last_message_at: at }
    })
    const limit = 2
    view.pages.push({
      list: 'threads',
      scope: { of: 'all' },
      offset: number * limit,
      limit,
      rows,
      total: 4,
      number,
    })
  }
  return orderConstraints(view, undefined).map(({ explanations }) => explanations.flatMap(Object.values))
}

it('judges an order by all pages of a list', () => {
  expect(assumptionsLeft([9, 8])).toEqual([['last-message-desc', 'created-desc', 'unspecified']])
  expect(assumptionsLeft([9, 8], [30, 20])).toEqual([])
})
