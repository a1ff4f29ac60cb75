import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { noBrowser, openPage, useBrowser, useBuiltServer } from './browser.js'
import { hostileMails } from './hostile-mails.js'

describe.skipIf(noBrowser)('hostile mail in the inspector', () => {
  it('runs no scripts, loads nothing and has no working links', async () => {
    const asked: string[] = []
    const elsewhere = createServer(({ url }, response) => {
      asked.push(url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void elsewhere.close())
    const target = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/asked`
    const browser = await useBrowser()
    const server = await useBuiltServer({ scenario: 'empty', clock: 'frozen' })
    const mails = hostileMails(target)
    expect(mails.length).toBeGreaterThanOrEqual(100)
    const { page, foreign, errors } = await openPage(browser, `${server.url}/_sim/`)
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    const popups: string[] = []
    page.on('popup', (popup) => popups.push(popup.url()))
    for (const [index, html] of mails.entries()) {
      const subject = `Hostile ${index}`
      const { message } = await server.simulator.mail.receive({
        to: 'desk',
        subject,
        html: `${html}<p>end ${index}</p>`,
      })
      const address = `${server.url}/_sim/#/mailbox/desk/${message.thread_id}`
      await page.goto(address)
      const view = page.getByRole('article')
      const frame = view.frameLocator('iframe')
      await frame.locator('body').waitFor({ state: 'attached' })
      const click = frame.locator('#click').first()
      if ((await click.count()) > 0) await click.click({ force: true, timeout: 2000 }).catch(() => undefined)
      expect(page.url(), html).toBe(address)
      expect(await page.evaluate('window.hacked'), html).toBeUndefined()
      expect(
        page
          .frames()
          .slice(1)
          .map((inner) => inner.url())
          .filter((url) => url !== 'about:srcdoc'),
        html,
      ).toEqual([])
    }
    expect([asked, foreign, dialogs, popups, errors]).toEqual([[], [], [], [], []])
  })

  it('serves attachments as downloads, never as pages', async () => {
    const server = await useBuiltServer({ scenario: 'empty', clock: 'frozen' })
    const content = Buffer.from('<script>top.hacked = true</script>').toString('base64')
    const file = { filename: 'page.html', contentType: 'text/html', content }
    const { message } = await server.simulator.mail.receive({ to: 'desk', text: 'x', attachments: [file] })
    const [attachment] = server.simulator.mailbox.message(message.id).attachments
    const { headers, status } = await fetch(`${server.url}/_sim/attachments/${attachment?.id}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toBe('attachment')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const page = await fetch(`${server.url}/_sim/`)
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self';/)
  })
})
