import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunningServer } from '../../src/doors/server/start-server.js'
import {
  launchBrowser,
  noBrowser,
  openPage,
  startBuiltServer,
  useBrowser,
  useBuiltServer,
  type WatchedPage,
} from './browser.js'
import { Keyboard } from './keyboard.js'

describe.skipIf(noBrowser)('the inspector used by keyboard', () => {
  let browser: Browser
  let server: RunningServer
  let watched: WatchedPage
  let page: Page
  let user: Keyboard

  beforeAll(async () => {
    browser = await launchBrowser()
    server = await startBuiltServer({ scenario: 'refund-request', clock: 'frozen' })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  beforeEach(async () => {
    server.simulator.reset()
    await page?.close()
    watched = await openPage(browser, `${server.url}/_sim/`)
    page = watched.page
    user = new Keyboard(page)
  })

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, { ...init, headers: { authorization: 'Bearer test-key', ...init.headers } })
  const screen = (name: string) =>
    user.activate(page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name }))

  it('shows agents, threads and a conversation, each at its own address', async () => {
    await user.activate(page.getByRole('link', { name: /Refund for order 4187/ }))
    await page.getByRole('heading', { name: /Refund for order 4187/ }).waitFor()
    expect(page.url()).toMatch(/#\/mailbox\/support\/thrd_/)
    const messages = await page.getByRole('article').count()
    await page.reload()
    await page.getByRole('heading', { name: /Refund for order 4187/ }).waitFor()
    await expect.poll(() => page.getByRole('article').count()).toBe(messages)
    expect(watched.errors).toEqual([])
  })

  it('searches subjects and senders', async () => {
    await user.enter(page.getByLabel('Search subjects and senders'), 'no such words anywhere')
    await page.getByText('No thread matches').waitFor()
    await user.enter(page.getByLabel('Search subjects and senders'), 'REFUND FOR')
    await page.getByRole('link', { name: /Refund for order 4187/ }).waitFor()
    expect(watched.errors).toEqual([])
  })

  it('shows text, headers and source of a message and marks its thread', async () => {
    await user.activate(page.getByRole('link', { name: /Refund for order 4187/ }))
    const message = page.getByRole('article').first()
    await user.activate(message.getByText('Headers', { exact: true }))
    await message.getByText('Message-ID', { exact: true }).waitFor()
    await user.activate(message.getByText('Source', { exact: true }))
    await message.getByText(/MIME-Version: 1.0/).waitFor()
    await user.activate(page.getByRole('button', { name: 'Mark read' }))
    await page.getByRole('button', { name: 'Mark unread' }).waitFor()
    const threads = server.simulator.mailbox.threads({ search: 'order 4187' }).threads
    expect(threads.map(({ unread }) => unread)).toEqual([false])
    expect(server.simulator.journal.exchanges(), 'looking leaves no trace').toEqual([])
  })

  it('receives a reply in a thread', async () => {
    await user.activate(page.getByRole('link', { name: /Refund for order 4187/ }))
    const before = server.simulator.summary().messages
    await user.enter(page.getByLabel(/Simulate a reply from/), 'Any news?')
    await user.activate(page.getByRole('button', { name: 'Receive reply' }))
    await page.getByRole('article').getByText('Any news?').waitFor()
    expect(server.simulator.summary().messages).toBe(before + 1)
  })

  it('shows, filters and explains requests as they happen', async () => {
    await screen('Traffic')
    await page.getByText('No requests yet').waitFor()
    await ask('/api/v1/mail/threads?limit=2')
    await ask('/api/v1/mail/thread')
    await page.getByRole('link', { name: /\/api\/v1\/mail\/threads/ }).waitFor()
    const time = page.getByRole('link', { name: /limit=2/ }).locator('time')
    expect(await time.getAttribute('title')).toMatch(/story time\n/)
    await user.choose(page.getByLabel('Status'), 'near-miss')
    await expect.poll(() => page.getByRole('link', { name: /limit=2/ }).count()).toBe(0)
    await user.activate(page.getByRole('link', { name: /mail\/thread/ }))
    await page.getByText('no operation matches').waitFor()
    await user.choose(page.getByLabel('Status'), '')
    await user.activate(page.getByRole('link', { name: /limit=2/ }))
    await user.activate(page.getByRole('link', { name: 'Compare under page-size' }))
    await page.locator('.diff .added', { hasText: '"total": 2' }).waitFor()
    expect(server.simulator.journal.exchanges()).toHaveLength(2)
    await user.enter(page.getByLabel('Gap', { exact: true }), 'threads.order')
    await page.getByText('1 requests').waitFor()
    expect(watched.errors).toEqual([])
  })

  it('explains a disturbed response', async () => {
    await screen('Controls')
    await user.choose(page.getByLabel('Operation'), 'threads.list')
    await user.activate(page.getByRole('button', { name: 'Add fault' }))
    await page.getByText('disturbed 0 of 0').waitFor()
    expect(server.simulator.faults.list().map(({ fault }) => fault.operation)).toEqual(['threads.list'])
    await ask('/api/v1/identities/support')
    await ask('/api/v1/mail/threads')
    await screen('Traffic')
    const requests = page.getByRole('list', { name: 'Requests' })
    await user.activate(requests.getByRole('link', { name: /503/ }))
    const fault = page.getByRole('region', { name: 'Fault' })
    expect(await fault.innerText()).toMatch(/operation\s+threads\.list\s+times\s+2\s+status\s+503$/)
    await screen('Controls')
    await page.getByText('disturbed 1 of 1').waitFor()
    await user.activate(page.getByRole('button', { name: 'Remove', exact: true }))
    await page.getByText('No faults are in force').waitFor()
    expect(server.simulator.faults.list()).toEqual([])
  })

  it('shows the gaps that responses depend on, and changes an assumption', async () => {
    await ask('/api/v1/mail/threads?limit=2')
    await screen('Gaps')
    const gap = page.getByRole('article', { name: 'threads.total' })
    await gap.getByText('1 response').waitFor()
    await user.activate(
      gap
        .getByRole('listitem')
        .filter({ hasText: 'page-size' })
        .getByRole('button', { name: 'Use this assumption' }),
    )
    await gap.getByText(/in force, chosen by: set while running/).waitFor()
    expect(server.simulator.assumptions.current()['threads.total']).toBe('page-size')
    await user.choose(page.getByRole('combobox', { name: 'Show' }), 'all')
    await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(50)
  })

  it('steps, jumps, advances, plays and pauses the story', async () => {
    await screen('Story')
    await user.activate(page.getByRole('button', { name: 'Step to the next entry' }))
    await page
      .getByRole('cell', { name: /^happened/ })
      .first()
      .waitFor()
    expect(server.simulator.timeline.played()).toHaveLength(1)
    await user.activate(page.getByRole('button', { name: 'Jump here' }).first())
    await expect.poll(() => server.simulator.timeline.played().length).toBe(2)
    await user.enter(page.getByLabel('Advance by'), '1m')
    const before = Date.parse(server.simulator.clock.now())
    await user.activate(page.getByRole('button', { name: 'Advance', exact: true }))
    await expect.poll(() => Date.parse(server.simulator.clock.now()) - before).toBe(60_000)
    await user.activate(page.getByRole('button', { name: 'Play' }))
    await user.activate(page.getByRole('button', { name: 'Pause' }))
    await page.getByRole('button', { name: 'Play' }).waitFor()
    expect(server.simulator.clock.mode).toBe('frozen')
    await page
      .getByText(/Not met|Met/)
      .first()
      .waitFor()
    expect(watched.errors).toEqual([])
  })

  it('shows deliveries with their attempts and redelivers one', async () => {
    server.simulator.webhooks.on('*', () => new Response('taken', { status: 202 }))
    await server.simulator.mail.receive({ to: 'support', text: 'Hello' })
    await server.simulator.clock.advance('1s')
    await screen('Deliveries')
    await user.activate(page.getByRole('link', { name: /message.received/ }))
    await page.getByRole('heading', { name: /Attempt 1/ }).waitFor()
    await user.activate(page.getByRole('button', { name: 'Redeliver', exact: true }))
    await page.getByRole('heading', { name: /Attempt 2/ }).waitFor()
    server.simulator.view.world.receivers.clear()
    expect(server.simulator.deliveries.list()[0]?.attempts).toHaveLength(2)
  })

  it('receives a message from a form or a file', async () => {
    await screen('Controls')
    await user.enter(page.getByLabel('Subject'), 'A question')
    await user.enter(page.getByLabel('Text'), 'Is it raining?')
    await user.activate(page.getByRole('button', { name: 'Receive', exact: true }))
    await expect.poll(() => server.simulator.mailbox.threads({ search: 'A question' }).total).toBe(1)
    const eml =
      'From: Bo <bo@example.com>\r\nTo: support@agents.example\r\nSubject: From a file\r\n\r\nHello\r\n'
    await page
      .getByLabel(/An .eml file/)
      .setInputFiles({ name: 'mail.eml', mimeType: 'message/rfc822', buffer: Buffer.from(eml) })
    await user.activate(page.getByRole('button', { name: 'Receive mail.eml' }))
    await expect.poll(() => server.simulator.mailbox.threads({ search: 'From a file' }).total).toBe(1)
  })

  it('forks, opens, deletes and resets worlds', async () => {
    await screen('Controls')
    const worlds = page.getByRole('region', { name: 'Worlds' })
    await user.activate(worlds.getByRole('button', { name: 'Fork', exact: true }))
    await user.activate(worlds.getByRole('link', { name: /^world_/ }))
    await page.waitForURL(/\?world=world_/)
    await user.activate(page.getByRole('link', { name: 'first world' }))
    await user.activate(worlds.getByRole('button', { name: 'Delete', exact: true }))
    await expect.poll(() => server.simulator.worlds().length).toBe(1)
    await server.simulator.mail.receive({ to: 'support', text: 'Hello' })
    const before = server.simulator.summary().messages
    await user.activate(worlds.getByRole('button', { name: 'Reset this world' }))
    await expect.poll(() => server.simulator.summary().messages).toBe(before - 1)
  })

  it('downloads and restores a snapshot and applies a profile', async () => {
    await server.simulator.mail.receive({ to: 'support', subject: 'Kept', text: 'Hello' })
    await screen('Controls')
    const download = page.waitForEvent('download')
    await user.activate(page.getByRole('button', { name: 'Download snapshot' }))
    const path = await (await download).path()
    server.simulator.reset()
    await page.getByLabel('Restore from a file').setInputFiles(path)
    await user.activate(page.getByRole('button', { name: 'Restore', exact: true }))
    await expect.poll(() => server.simulator.mailbox.threads({ search: 'Kept' }).total).toBe(1)
    await user.activate(page.getByRole('button', { name: 'Apply worst-case' }))
    await expect.poll(() => server.simulator.assumptions.current()['threads.total']).toBe('page-size')
  })

  it('shows the message of a refusal', async () => {
    await screen('Controls')
    await user.enter(page.getByLabel('From', { exact: true }), 'not an address')
    await user.activate(page.getByRole('button', { name: 'Receive', exact: true }))
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/not of the form|not a sender|from/)
  })
})

describe.skipIf(noBrowser)('the inspector of a server', () => {
  it('asks for the control token once and keeps it only in memory', async () => {
    const server = await useBuiltServer({ scenario: 'support-desk', controlToken: 'a-token-of-mine' })
    const { page, errors } = await openPage(await useBrowser(), `${server.url}/_sim/`)
    for (const token of ['wrong', 'a-token-of-mine']) {
      await page.getByLabel('Token').fill(token)
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    await page.getByRole('list', { name: 'Threads' }).waitFor()
    const stored = 'localStorage.length + sessionStorage.length + document.cookie.length'
    expect(await page.evaluate(stored)).toBe(0)
    expect(errors).toEqual([])
  })

  it('reconnects after a restart of the server', async () => {
    const first = await useBuiltServer({ scenario: 'support-desk' })
    const { port } = new URL(first.url)
    const { page } = await openPage(await useBrowser(), `${first.url}/_sim/`)
    await page.getByRole('list', { name: 'Threads' }).waitFor()
    await first.close()
    await page.getByText('The connection to the server is lost').waitFor()
    const second = await useBuiltServer({ scenario: 'support-desk', port: Number(port) })
    await page.getByText('The connection to the server is lost').waitFor({ state: 'detached' })
    await second.simulator.mail.receive({ to: 'support', subject: 'After the restart', text: 'Hello' })
    await page.getByRole('link', { name: /After the restart/ }).waitFor()
    expect(await page.getByRole('list', { name: 'Threads' }).getByRole('link').count()).toBeGreaterThan(1)
  })
})

describe.skipIf(noBrowser)('a response under another assumption', () => {
  it('is that of the request in its own world, with its own key or without one', async () => {
    const server = await useBuiltServer({ scenario: 'refund-request', clock: 'frozen', extend: ['common'] })
    const other = await server.simulator.addWorld({ scenario: 'bounce-storm', extend: ['common'] })
    const ask = (path: string, init: RequestInit) => fetch(`${server.url}/api/v1${path}`, init)
    const body = JSON.stringify({ agent: other.identities.list()[0]?.agent_handle, to: 'ann@example.com' })
    const json = { 'content-type': 'application/json' }
    await ask('/mail/messages', {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${other.apiKey}` },
      body,
    })
    await ask('/mail/threads', {})
    await ask('/mail/threads', { headers: { authorization: 'Bearer nobody' } })
    const browser = await useBrowser()
    const seen = async (world: string, option: RegExp, assumption: string) => {
      const { page, errors } = await openPage(browser, `${server.url}/_sim/?world=${world}`)
      await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Traffic' }).click()
      await page.getByRole('link', { name: option }).first().click()
      await page.getByRole('link', { name: `Compare under ${assumption}` }).click()
      const diff = page.getByRole('region', { name: 'Gaps' }).locator('.diff')
      await diff.locator('pre').waitFor()
      const text = await diff.innerText()
      expect(errors).toEqual([])
      await page.close()
      return text
    }
    const sent = await seen(other.id, /POST/, 'ids')
    expect(sent).toMatch(/^\+ .*"message_id": "msg_/m)
    expect(sent).toContain('ann@example.com')
    const first = server.simulator.id
    expect(await seen(first, /401/, '403')).toMatch(/^\+ .*403/m)
    expect(await seen(first, /200/, 'listed-keys')).toMatch(/^\+ .*401/m)
    expect([other.journal.exchanges().length, server.simulator.journal.exchanges().length]).toEqual([1, 2])
  })
})
