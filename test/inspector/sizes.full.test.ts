import { describe, expect, it } from 'vitest'
import { noBrowser, openPage, useBrowser, useBuiltServer } from './browser.js'

describe.skipIf(noBrowser)('the inspector with large data', () => {
  it('shows a mailbox of 100,000 threads with few rows in the document', async () => {
    const browser = await useBrowser()
    const large = await useBuiltServer({
      scenario: {
        scenario: 'large',
        identities: [{ handle: 'desk', generate: { threads: 100_000, messages: [1, 1], over: '90d' } }],
      },
      clock: 'frozen',
    })
    const small = await useBuiltServer({ scenario: 'support-desk', clock: 'frozen' })
    /** Returns how many resources a page loads until it shows its first threads, and how many bytes they have. */
    const firstContent = async (url: string): Promise<{ resources: number; bytes: number }> => {
      const { page } = await openPage(browser, `${url}/_sim/`)
      await page
        .getByRole('option')
        .filter({ has: page.locator('time') })
        .first()
        .waitFor()
      const read =
        "performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => [name, encodedBodySize])"
      // The clock is read again each second.
      const sizes = new Map((await page.evaluate(read)) as [string, number][])
      await page.close()
      return { resources: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) }
    }
    const [most, few] = [await firstContent(large.url), await firstContent(small.url)]
    expect(most.resources).toBeLessThanOrEqual(few.resources)
    expect(most.bytes).toBeLessThan(1.5 * few.bytes)
    const { page, errors } = await openPage(browser, `${large.url}/_sim/`)
    const list = page.getByRole('listbox', { name: 'Threads' })
    await list.waitFor()
    for (const share of [0.25, 0.5, 0.9, 1]) {
      await list.evaluate((element, to) => {
        element.scrollTop = element.scrollHeight * to
      }, share)
      await expect
        .poll(() =>
          page
            .getByRole('option')
            .filter({ has: page.locator('time') })
            .count(),
        )
        .toBeGreaterThan(5)
      expect(await page.getByRole('option').count()).toBeLessThan(200)
    }
    await list.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('article').waitFor()
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
    await page.getByText('10,000 of 10,000 requests').waitFor()
    await fetch(`${server.url}/api/v1/mail/threads`, { headers })
    await page.getByText('10,000 of 10,000 requests').waitFor()
    await page.getByRole('option', { name: /mail\/threads/ }).click()
    await page.getByText('This response depends on').waitFor()
    expect(await page.getByRole('option').count()).toBeLessThan(200)
    const heap = (await page.evaluate('performance.memory.usedJSHeapSize')) as number
    expect(heap).toBeLessThan(150e6)
    expect(errors).toEqual([])
  })
})
