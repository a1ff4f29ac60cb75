import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import { pageData, pageWith, recordWorld } from '../../src/runs/reports/html.js'
import { summarizeTrials, trialsReport } from '../../src/runs/trials/trials.js'
import { failedResult, report, result } from '../support/replay/report.fixture.js'
import { sharedFolder } from '../support/temporary-folder.js'
import { axeViolations, loadAxe } from './axe.js'
import { noBrowser, openPage, useBrowser } from './browser.js'

const built = new URL('../../dist/', import.meta.url)

describe.skipIf(noBrowser)('the screens of a report', () => {
  const folder = sharedFolder()

  it('show trials, sent messages and tool calls, readable in both themes', async () => {
    const sim = await createSimulator({
      scenario: { scenario: 'desk', identities: [{ handle: 'support' }] },
      extend: ['common'],
    })
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(sim.mcp())
    const mail = { agent: 'support', to: 'bo@mail.example', subject: 'On its way', text: 'Today.' }
    await client.callTool({ name: 'messages_send', arguments: mail })
    await client.close()
    const seq = sim.journal.exchanges()[0]?.seq ?? 0
    const nearest = { exchange: seq, line: 'the request', at: '', differences: ['text: expected /soon/'] }
    const runs = [true, false].map((passed, index) => ({
      trial: index + 1,
      ...report({ passed, verdicts: [passed ? result({}) : failedResult({ nearest })] }),
    }))
    const trials = summarizeTrials(runs, { count: 2, require: 'all', interrupted: false, wall_ms: 1 })
    const recording = () => ({ ...recordWorld(sim, []), trial: 2 })
    const file = join(folder, 'trials.html')
    await writeFile(file, pageWith(pageData({ ...trialsReport(trials), recording }), built))
    const { page, errors } = await openPage(await useBrowser(), pathToFileURL(file).href)
    await page.getByRole('region', { name: 'How often' }).getByRole('cell', { name: '1 of 2' }).waitFor()
    await page.getByRole('link', { name: '1 request', exact: true }).waitFor()
    await page.getByText('show run 2.').waitFor()
    const failed = page.getByRole('region', { name: 'What failed' })
    expect(await failed.getByRole('link').first().getAttribute('href')).toBe(`#/traffic/${seq}`)
    await loadAxe(page)
    const found: string[] = []
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      for (const theme of ['light', 'dark'] as const) found.push(...(await axeViolations(page, theme)))
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    }
    expect(found).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('link', { name: '1 message', exact: true }).click()
    await page.getByRole('list', { name: 'Sent messages' }).getByRole('link').click()
    await page.getByRole('link', { name: /sent by request \d+/ }).click()
    const requests = page.getByRole('list', { name: 'Requests' })
    expect(await requests.getByText('MCP').count()).toBe(1)
    await page.getByLabel('Status').selectOption('mcp')
    expect(await requests.getByRole('link').count()).toBe(1)
    expect(errors).toEqual([])
  })
})
