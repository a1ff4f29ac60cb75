import { describe, expect, it } from 'vitest'
import { noBrowser, openPage, useBrowser, useBuiltServer } from './browser.js'

describe.skipIf(noBrowser)('the way through the inspector', () => {
  it('follows the links of lists, and goes back and forward to the same place', async () => {
    const { url } = await useBuiltServer({ scenario: 'support-desk', clock: 'frozen' })
    const ask = (path: string) =>
      fetch(`${url}/api/v1/${path}`, { headers: { authorization: 'Bearer test-key' } })
    for (let asked = 0; asked < 30; asked++) await ask(`mail/threads?agent=support&limit=${asked + 1}`)
    const { page, errors } = await openPage(await useBrowser(), `${url}/_sim/#/traffic?status=2xx`)
    const requests = page.getByRole('list', { name: 'Requests' }).getByRole('link')
    await requests.nth(15).click()
    const exchange = page.getByRole('region', { name: 'Exchange' })
    await exchange.getByText('limit=15').first().waitFor()
    expect(await requests.nth(15).getAttribute('aria-current')).toBe('true')
    await page.getByRole('link', { name: 'Compare under page-size' }).click()
    await exchange.locator('.diff pre').waitFor()
    const place = page.url()
    expect(place).toContain('status=2xx')
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Gaps' }).click()
    await page.getByRole('heading', { name: 'Gaps' }).waitFor()
    await page.goBack()
    await exchange.locator('.diff pre').waitFor()
    expect(page.url()).toBe(place)
    await page.goForward()
    await page.getByRole('article').first().waitFor()
    expect(errors).toEqual([])
  })

  it('shows a list or an open item on a narrow screen', async () => {
    const { url, simulator } = await useBuiltServer({ scenario: 'refund-request', clock: 'frozen' })
    await fetch(`${url}/api/v1/mail/threads`, { headers: { authorization: 'Bearer test-key' } })
    simulator.webhooks.on('*', () => new Response('taken'))
    await simulator.mail.receive({ to: 'support', text: 'Hello' })
    await simulator.clock.advance('1s')
    const { page } = await openPage(await useBrowser(), `${url}/_sim/`, {
      viewport: { width: 390, height: 800 },
    })
    for (const [screen, list, back] of [
      ['mailbox', 'Threads', '← Back to the list'],
      ['traffic', 'Requests', '← Requests'],
      ['deliveries', 'Deliveries', '← Deliveries'],
    ] as const) {
      await page.goto(`${url}/_sim/#/${screen}`)
      const rows = page.getByRole('list', { name: list }).getByRole('link')
      await rows.first().click()
      await page.getByRole('link', { name: back }).waitFor()
      expect(await rows.first().isVisible()).toBe(false)
      await page.getByRole('link', { name: back }).click()
      await rows.first().waitFor()
    }
  })

  it('marks in the list which requests hide something', async () => {
    const { url } = await useBuiltServer({ scenario: 'refund-request', clock: 'frozen' })
    for (const name of ['limit', 'limt']) {
      const headers = { authorization: 'Bearer test-key' }
      await fetch(`${url}/api/v1/mail/threads?${name}=2`, { headers })
    }
    const { page } = await openPage(await useBrowser(), `${url}/_sim/#/traffic`)
    const marks = page.getByRole('list', { name: 'Requests' }).getByRole('link')
    await expect
      .poll(() => marks.allInnerTexts())
      .toEqual([expect.stringContaining('hidden mistake'), expect.not.stringContaining('hidden mistake')])
    await marks.first().click()
    await page.getByText('What this response hides').waitFor()
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
    const row = (name: RegExp) => page.getByRole('link', { name })
    const [inbound, sent] = [row(/Refund for order NW-48213/), row(/bo@mail/)]
    expect(await inbound.innerText()).toMatch(/^Ann Lee → support \(4\)\n\S.*\n/)
    expect(await inbound.locator('time').getAttribute('title')).toMatch(/^2026-01-05T09:00:30/)
    expect(await sent.innerText()).toMatch(
      /^support → bo@mail\.example\s+09:00\s+On its way\s+sent\s+Today\.$/,
    )
    await page.getByRole('link', { name: /^Sent/ }).click()
    await expect
      .poll(() => page.getByRole('list', { name: 'Sent messages' }).getByRole('link').count())
      .toBe(1)
    await page.getByRole('list', { name: 'Sent messages' }).getByRole('link').click()
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
