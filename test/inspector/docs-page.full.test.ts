import { describe, expect, it } from 'vitest'
import { axeViolations, loadAxe } from './axe.js'
import { noBrowser, openPage, useBrowser, useBuiltServer } from './browser.js'

describe.skipIf(noBrowser)('the page of the APIs', () => {
  it('opens from the inspector, asks for a control token as that does, and needs nothing from elsewhere', async () => {
    const token = 'a-control-token'
    const { url } = await useBuiltServer({ scenario: 'empty', extend: ['common'], controlToken: token })
    const { page, errors, foreign } = await openPage(await useBrowser(), `${url}/_sim/`)
    await page.getByRole('link', { name: 'API' }).click()
    for (const [given, answer] of [
      ['wrong', 'with the token of --control-token'],
      [token, 'Agent mailbox service'],
    ] as const) {
      await page.getByLabel('Token').fill(given)
      await page.keyboard.press('Enter')
      await page.getByText(answer).first().waitFor()
    }
    const operations = page.locator('details[id^="service-"], details[id^="control-"]')
    expect(await operations.count()).toBeGreaterThan(80)
    await page.locator('summary').first().click()
    await page.getByText('curl').first().waitFor()
    await page.getByRole('link', { name: 'openapi.json' }).click()
    await page.waitForURL(/^blob:/)
    expect(await page.locator('body').textContent()).toContain('"openapi":"3.1.0"')
    expect([errors, foreign]).toEqual([[], []])
  })

  it('has no violations found by axe in both themes, and no horizontal scroll from 390 to 2,560 pixels', async () => {
    const { url } = await useBuiltServer({ scenario: 'empty', extend: ['common'] })
    const { page, errors, foreign } = await openPage(await useBrowser(), `${url}/_sim/docs`, {
      bypassCSP: true,
    })
    const asking = await useBuiltServer({ scenario: 'empty', controlToken: 'a-control-token' })
    const found: string[] = []
    for (const address of [`${url}/_sim/docs`, `${asking.url}/_sim/docs`]) {
      await page.goto(address)
      await loadAxe(page)
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
      for (const width of [390, 768, 1280, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        if (wider !== 0) found.push(`${wider} pixels wider than ${width}`)
      }
      for (const theme of ['light', 'dark'] as const) found.push(...(await axeViolations(page, theme)))
    }
    expect(found).toEqual([])
    expect([errors, foreign.filter((one) => !one.startsWith(asking.url))]).toEqual([[], []])
  })
})
