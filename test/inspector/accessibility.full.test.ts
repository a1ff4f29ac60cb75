import { describe, expect, it } from 'vitest'
import { axeViolations, loadAxe } from './axe.js'
import { noBrowser, openPage, useBrowser, useBuiltServer } from './browser.js'

describe.skipIf(noBrowser)('every screen of the inspector', () => {
  it('has no violations found by axe in both themes, and no horizontal scroll from 390 to 2,560 pixels', async () => {
    const server = await useBuiltServer({ scenario: 'refund-request', clock: 'frozen', extend: ['common'] })
    const { simulator, url } = server
    simulator.faults.add({ operation: 'messages.list', status: 503, times: 1 })
    const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
    for (const path of ['mail/threads?limit=2', 'mail/messages', 'mail/nothing']) {
      await fetch(`${url}/api/v1/${path}`, { headers })
    }
    const body = JSON.stringify({
      agent: 'support',
      to: 'ann@mail.example',
      subject: 'A reply',
      text: 'Soon.',
    })
    await fetch(`${url}/api/v1/mail/messages`, { method: 'POST', headers, body })
    await simulator.mail.receive({
      to: 'support',
      subject: `Page ${'long'.repeat(50)}`,
      html: '<p>Hello</p>',
      text: 'Hello',
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: 'YQ==' }],
    })
    await simulator.clock.advance('35s')
    const thread = simulator.mailbox.threads({ search: 'Page' }).threads[0]?.id
    const delivery = simulator.deliveries.list()[0]?.id
    const screens = [
      ...['mailbox', `mailbox/support/${thread}`, 'mailbox?show=sent', 'traffic', 'traffic/1'],
      ...['traffic/1?compare=threads.total%3Dpage-size', 'traffic/2', 'traffic/3', 'traffic/4', 'deliveries'],
      ...[`deliveries/${delivery}`, 'story', 'gaps?show=all', 'controls'],
    ]
    const { page, errors } = await openPage(await useBrowser(), `${url}/_sim/`, { bypassCSP: true })
    await loadAxe(page)
    const found: string[] = []
    let checked = 0
    for (const screen of screens) {
      for (const width of [2560, 1280, 768, 390]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(`${url}/_sim/#/${screen}`)
        await expect.poll(() => page.getByText('Loading…').count()).toBe(0)
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        if (wider !== 0) found.push(`${screen}: ${wider} pixels wider than ${width}`)
        if (width !== 1280 && width !== 390) continue
        for (const theme of ['light', 'dark'] as const) {
          found.push(...(await axeViolations(page, theme)).map((line) => `${screen} ${width} ${line}`))
          checked++
        }
      }
    }
    expect(found.slice(0, 5)).toEqual([])
    expect([checked, errors]).toEqual([4 * screens.length, []])
  })
})
