import { describe, expect, it } from 'vitest'
import { noBrowser, openPage, useBrowser, useBuiltServer } from './browser.js'

describe.skipIf(noBrowser)('the inspector with large data', () => {
  it('shows the newest of 100,000 threads, more of them, and those that are searched for', async () => {
    const server = await useBuiltServer({
      scenario: {
        scenario: 'large',
        identities: [{ handle: 'desk', generate: { threads: 100_000, messages: [1, 1], over: '90d' } }],
      },
      clock: 'frozen',
    })
    const { page, errors } = await openPage(await useBrowser(), `${server.url}/_sim/`)
    const rows = page.getByRole('list', { name: 'Threads' }).getByRole('link')
    await page.getByText('500 of 100,000 threads').waitFor()
    expect(await rows.count()).toBe(500)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByText('1,000 of 100,000 threads').waitFor()
    await rows.last().click()
    await page.getByRole('article').waitFor()
    const oldest = server.simulator.mailbox.threads({ offset: 99_999, limit: 1 }).threads[0]
    await page.getByLabel('Search subjects and senders').fill(oldest?.last_message?.from ?? '')
    await page.locator(`a[href*="${oldest?.id}"]`).click()
    await page.getByRole('region', { name: 'Conversation' }).getByText(`${oldest?.id}`).waitFor()
    expect(errors).toEqual([])
  })

  it('stays usable during 10,000 requests and keeps no more of them than the journal', async () => {
    const browser = await useBrowser()
    const server = await useBuiltServer({ scenario: 'support-desk', clock: 'frozen' })
    const { page, errors } = await openPage(browser, `${server.url}/_sim/#/traffic`)
    await page.getByText('No requests yet').waitFor()
    const headers = { authorization: 'Bearer test-key' }
    const ask = async (): Promise<void> => {
      for (let sent = 0; sent < 1250; sent++) {
        await (await fetch(`${server.url}/api/v1/identities/support`, { headers })).arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: 8 }, ask))
    await page.getByText('500 of 10,000 requests').waitFor()
    await fetch(`${server.url}/api/v1/mail/threads`, { headers })
    const requests = page.getByRole('list', { name: 'Requests' }).getByRole('link')
    await requests.filter({ hasText: 'mail/threads' }).click()
    await page.getByText('This response depends on').waitFor()
    await page.getByText('500 of 10,000 requests').waitFor()
    expect(await requests.count()).toBe(500)
    const heap = (await page.evaluate('performance.memory.usedJSHeapSize')) as number
    expect(heap).toBeLessThan(150e6)
    expect(errors).toEqual([])
  })

  it('goes on to show requests after a reset, and no longer those before it', async () => {
    const server = await useBuiltServer({ scenario: 'support-desk', clock: 'frozen' })
    const { page } = await openPage(await useBrowser(), `${server.url}/_sim/#/traffic`)
    await page.getByText('No requests yet').waitFor()
    const ask = (path: string) =>
      fetch(`${server.url}/api/v1/${path}`, { headers: { authorization: 'Bearer test-key' } })
    const requests = page.getByRole('list', { name: 'Requests' }).getByRole('link')
    await ask('mail/threads')
    await expect.poll(() => requests.allInnerTexts()).toEqual([expect.stringContaining('mail/threads')])
    server.simulator.reset()
    await page.getByText('No requests yet').waitFor()
    await ask('webhooks')
    await expect.poll(() => requests.allInnerTexts()).toEqual([expect.stringContaining('webhooks')])
  })
})
