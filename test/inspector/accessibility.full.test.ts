import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { noBrowser, openPage, useBrowser, useBuiltServer } from './browser.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

describe.skipIf(noBrowser)('every screen of the inspector', () => {
  it('has no violations found by axe in light and dark mode, wide and narrow', async () => {
    const browser = await useBrowser()
    const server = await useBuiltServer({ scenario: 'refund-request', clock: 'frozen' })
    const { simulator, url } = server
    simulator.faults.add({ operation: 'messages.list', status: 503, times: 1 })
    const headers = { authorization: 'Bearer test-key' }
    for (const path of ['mail/threads?limit=2', 'mail/messages', 'mail/nothing']) {
      await fetch(`${url}/api/v1/${path}`, { headers })
    }
    await simulator.mail.receive({ to: 'support', subject: 'Page', html: '<p>Hello</p>', text: 'Hello' })
    await simulator.clock.advance('35s')
    const thread = simulator.mailbox.threads({ search: 'Page' }).threads[0]?.id
    const delivery = simulator.deliveries.list()[0]?.id
    const screens = [
      'mailbox',
      `mailbox/support/${thread}`,
      'traffic/1',
      'traffic/2',
      'traffic/3',
      `deliveries/${delivery}`,
      'story',
      'assumptions?show=all',
      'controls',
    ]
    const found: string[] = []
    let checked = 0
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 390]) {
        const { page } = await openPage(browser, `${url}/_sim/`, {
          colorScheme,
          viewport: { width, height: 800 },
          bypassCSP: true,
        })
        for (const screen of screens) {
          await page.goto(`${url}/_sim/#/${screen}`)
          await expect.poll(() => page.getByText('Loading…').count()).toBe(0)
          await page.evaluate(axe)
          const { violations } = (await page.evaluate('axe.run()')) as { violations: readonly Violation[] }
          checked++
          for (const { id, nodes } of violations) {
            found.push(
              `${colorScheme} ${width} ${screen}: ${id}: ${nodes[0]?.html.slice(0, 120)} ${nodes[0]?.failureSummary}`,
            )
          }
        }
        await page.close()
      }
    }
    expect(found.slice(0, 5)).toEqual([])
    expect(checked).toBe(36)
  })
})
