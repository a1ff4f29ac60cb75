import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getResponse } from 'msw'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import { replayReport } from '../../src/runs/replay/report.js'
import { pageData, pageWith, recordWorld } from '../../src/runs/reports/html.js'
import { report } from '../support/replay/report.fixture.js'
import { sharedFolder } from '../support/temporary-folder.js'
import { axeViolations, loadAxe } from './axe.js'
import { noBrowser, openPage, useBrowser, useBuiltServer } from './browser.js'

const built = new URL('../../dist/', import.meta.url)

vi.setConfig({ testTimeout: 120_000 })

const scenario = {
  scenario: 'desk',
  identities: [{ handle: 'support', display_name: 'Support' }],
  timeline: [
    { key: 'news', after: '1m' as const, receive: { to: 'support', from: 'bo@mail.example', text: 'Hi' } },
    {
      key: 'later',
      when: { request: 'identities.update' as const, nth: 2 },
      receive: { to: 'support', from: 'bo@mail.example', text: 'Ho' },
    },
  ],
}

/** What an agent does: three requests that change something, and one that does not. */
async function act(ask: (path: string, method?: string, body?: object) => Promise<unknown>): Promise<void> {
  await ask('identities/support', 'PATCH', { display_name: 'One' })
  await ask('identities/support')
  await ask('identities/support', 'PATCH', { display_name: 'Two' })
}

/** Looks at a page in several widths and both themes. */
async function expectReadable(page: Page): Promise<void> {
  for (const width of [390, 1280, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    for (const theme of ['light', 'dark'] as const) expect(await axeViolations(page, theme)).toEqual([])
  }
}

/** Steps through the requests of a page, and looks at it in several widths. */
async function expectSteps(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /identities\/support/ })
    .first()
    .click()
  const changes = page.getByRole('region', { name: 'Changes' })
  await changes.getByText('display_name: Two').waitFor()
  expect((await changes.locator('.removed').allTextContents()).join('')).toContain('− display_name: One')
  const requests = page.getByRole('list', { name: 'Requests' }).getByRole('link')
  await requests.nth(1).click()
  await changes.getByText('It changed nothing.').waitFor()
  await requests.first().click()
  await changes.getByText('display_name: Two').waitFor()
  await loadAxe(page)
  await expectReadable(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Story' }).click()
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
  await row('later').getByText('2 rows changed').click()
  await page.getByText(/text: Ho/).waitFor()
  expect(await page.getByText(/text: Hi/).count()).toBe(0)
  await row('news').getByText('2 rows changed').click()
  await page.getByText(/text: Hi/).waitFor()
  await page.getByRole('row', { name: /PATCH/ }).last().getByText('1 row changed').click()
  await page.getByText('display_name: Two').waitFor()
  expect(await axeViolations(page, 'light')).toEqual([])
}

describe.skipIf(noBrowser)('stepping through what happened', () => {
  const folder = sharedFolder()

  it('shows before and after of each request, and opens the mailbox at that moment', async () => {
    const server = await useBuiltServer({ scenario, clock: 'frozen' })
    const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
    await server.simulator.clock.advance('2m')
    await act(async (path, method = 'GET', body) => {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      await (await fetch(`${server.url}/api/v1/${path}`, init)).arrayBuffer()
    })
    const { page, errors } = await openPage(await useBrowser(), `${server.url}/_sim/#/traffic`, {
      bypassCSP: true,
    })
    await expectSteps(page)
    const [first] = server.simulator.journal.exchanges()
    await page.goto(`${server.url}/_sim/#/traffic/${first?.seq}`)
    await page.getByRole('button', { name: 'Open here', exact: true }).click()
    await page.waitForURL(/\?world=/)
    const [, fork] = server.simulator.worlds()
    expect(fork?.identities.get('support').display_name).toBe('One')
    expect(server.simulator.identities.get('support').display_name).toBe('Two')
    expect(errors).toEqual([])
  })

  it('does so in a report, which names the command that opens it', async () => {
    const sim = await createSimulator({ scenario })
    await sim.clock.advance('2m')
    await act(async (path, method = 'GET', body) => {
      const headers = { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' }
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      await getResponse([...sim.handlers], new Request(new URL(`/api/v1/${path}`, sim.baseUrl), init))
    })
    const told = { ...replayReport(report()), recording: () => recordWorld(sim, []) }
    const file = join(folder, 'stepping.html')
    await writeFile(file, pageWith(pageData(told), built))
    const { page, errors } = await openPage(await useBrowser(), pathToFileURL(file).href, { bypassCSP: true })
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Traffic' }).click()
    await expectSteps(page)
    await expectReadable(page)
    const last = sim.journal.exchanges().at(-1)?.seq
    await page.goto(`${pathToFileURL(file).href}#/traffic/${last}`)
    await page.getByText(`npx agent-mailbox-sim serve results/ --at ${last}`).waitFor()
    expect(errors).toEqual([])
  })
})
