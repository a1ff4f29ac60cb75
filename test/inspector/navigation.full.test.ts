import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { noBrowser, openPage, useBrowser, useBuiltServer } from './browser.js'

describe.skipIf(noBrowser)('the way through the inspector', () => {
  it('begins with the first item, follows the keys, and goes back and forward to the same place', async () => {
    const { url, simulator } = await useBuiltServer({ scenario: 'support-desk', clock: 'frozen' })
    simulator.webhooks.on('*', () => new Response('taken'))
    const ask = (path: string) =>
      fetch(`${url}/api/v1/${path}`, { headers: { authorization: 'Bearer test-key' } })
    for (let asked = 0; asked < 30; asked++) await ask(`mail/threads?agent=support&limit=${asked + 1}`)
    await simulator.clock.advance('65s')
    const { page, errors } = await openPage(await useBrowser(), `${url}/_sim/`)
    const selected = page.locator('[role="option"][aria-selected="true"]')
    for (const screen of ['mailbox', 'traffic', 'deliveries']) {
      await page.goto(`${url}/_sim/#/${screen}`)
      await expect.poll(() => selected.getAttribute('aria-posinset')).toBe('1')
      const first = page.url()
      // No list has the focus: the keys work immediately.
      await page.evaluate('document.activeElement.blur()')
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await expect.poll(() => selected.getAttribute('aria-posinset')).toBe('2')
      await page.goBack()
      await expect
        .poll(async () => [await selected.getAttribute('aria-posinset'), page.url()])
        .toEqual(['1', first])
    }
    await page.goto(`${url}/_sim/#/traffic`)
    const requests = page.getByRole('listbox', { name: 'Requests' })
    await scroll(requests, 600)
    const open = page.getByRole('option', { name: /limit=15$|limit=15 / }).first()
    await open.click()
    const exchange = page.getByRole('region', { name: 'Exchange' })
    await exchange.getByText('limit=15').first().waitFor()
    await page.getByRole('button', { name: 'Compare under page-size' }).click()
    await exchange.locator('.diff pre').waitFor()
    await page.setViewportSize({ width: 1280, height: 400 })
    await scroll(exchange, 150)
    const place = page.url()
    await page.getByRole('link', { name: 'Gaps' }).click()
    await page.getByRole('heading', { name: 'Gaps' }).waitFor()
    await page.goBack()
    await exchange.locator('.diff pre').waitFor()
    expect(page.url()).toBe(place)
    await expect.poll(() => exchange.evaluate(({ scrollTop }) => scrollTop)).toBe(150)
    expect(await requests.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(500)
    await page.goForward()
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('j')
    expect(await focusedText(page)).toMatch(/^[a-z]+\./)
    await page.goto(`${url}/_sim/#/story`)
    await page.getByRole('button', { name: 'Jump here' }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await focusedText(page)).toContain('happened')
    const played = await page.getByRole('cell', { name: /^happened/ }).count()
    for (let step = 0; step < played; step++) await page.keyboard.press('j')
    expect(await focusedText(page)).toContain('Jump here')
    expect(errors).toEqual([])
  })

  it('shows a list or an open item on a narrow screen, and Escape returns to the list', async () => {
    const { url } = await useBuiltServer({ scenario: 'refund-request', clock: 'frozen' })
    const { page } = await openPage(await useBrowser(), `${url}/_sim/`, {
      viewport: { width: 390, height: 800 },
    })
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('article').count()).toBe(0)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('article').first().waitFor()
    expect(await page.getByRole('option').first().isVisible()).toBe(false)
    await page.keyboard.press('Escape')
    await page.getByRole('option').first().waitFor()
    expect(page.url()).toMatch(/#\/mailbox\?show=all$/)
  })

  it('has a key for each screen, for the search and for the list of keys', async () => {
    const { url } = await useBuiltServer({ scenario: 'refund-request', clock: 'frozen' })
    const { page, errors } = await openPage(await useBrowser(), `${url}/_sim/`)
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    const screens = ['traffic', 'deliveries', 'story', 'gaps', 'controls']
    for (const [index, name] of screens.entries()) {
      await page.keyboard.press(String(index + 2))
      await page.waitForURL(`**/#/${name}`)
    }
    await page.keyboard.press('1')
    // The address changes before the screen does.
    await page.getByRole('listbox', { name: 'Threads' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('refund')
    await page.waitForURL('**search=refund**')
    expect(errors).toEqual([])
  })
})

describe.skipIf(noBrowser)('mail in the inspector', () => {
  it('shows in lists who wrote to whom, when, and with which files; what agents sent leads to the request', async () => {
    const { url, simulator } = await useBuiltServer({
      scenario: 'support-desk',
      clock: 'frozen',
      extend: ['common'],
    })
    const body = { agent: 'support', to: 'Bo Berg <bo@mail.example>', subject: 'On its way', text: 'Today.' }
    await fetch(`${url}/api/v1/mail/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await simulator.clock.advance('65s')
    const { page, errors } = await openPage(await useBrowser(), `${url}/_sim/`)
    const row = (name: RegExp) => page.getByRole('option', { name })
    const [inbound, sent] = [row(/Refund for order NW-48213/), row(/bo@mail/)]
    expect(await inbound.innerText()).toMatch(/^Ann Lee → support \(4\)\n\S.*\n/)
    expect(await inbound.locator('time').getAttribute('title')).toMatch(/^2026-01-05T09:00:30/)
    expect(await inbound.getByRole('img', { name: '1 attachment' }).count()).toBe(1)
    expect(await sent.innerText()).toMatch(
      /^support → bo@mail\.example\s+09:00\s+On its way\s+sent\s+Today\.$/,
    )
    await page.getByRole('link', { name: /^Sent/ }).click()
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.getByRole('link', { name: /sent by request \d+/ }).click()
    await page
      .getByRole('region', { name: 'Request', exact: true })
      .getByRole('link', { name: 'On its way' })
      .click()
    await page.getByRole('article', { name: /Message from Northwind Support/ }).waitFor()
    expect(page.url()).toMatch(/show=sent&message=msg_/)
    expect(errors).toEqual([])
  })
})

/** Scrolls and waits until the place is kept in the history. */
async function scroll(part: Locator, to: number): Promise<void> {
  await part.evaluate((element, top) => {
    element.scrollTop = top
  }, to)
  const kept = () => part.evaluate(() => Object.values(history.state ?? {}))
  await expect.poll(kept).toContain(to)
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.textContent')
}
