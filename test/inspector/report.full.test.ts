import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sharedFolder } from '../support/temporary-folder.js'
import { noBrowser, useBrowser } from './browser.js'

const program = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url))

/** An agent that sends mail, lists threads and gives up at a fault. */
const agent = `
const headers = { authorization: 'Bearer ' + process.env.MAILBOX_API_KEY }
await fetch(process.env.MAILBOX_SIM_URL + '/faults', {
  method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ operation: 'messages.list', status: 503, times: 1 }),
})
await fetch(process.env.MAILBOX_BASE_URL + '/api/v1/mail/messages', {
  method: 'POST', headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify({ agent: 'support', to: 'bo@mail.example', subject: 'On its way', text: 'Today.' }),
})
const list = await (await fetch(process.env.MAILBOX_BASE_URL + '/api/v1/mail/threads?limit=2', { headers })).json()
const answer = await fetch(process.env.MAILBOX_BASE_URL + '/api/v1/mail/messages', { headers })
if (list.total === 2) process.exit(3)
process.exit(answer.status === 503 && process.argv[2] === 'backs-off' ? 1 : 0)
`

describe.skipIf(noBrowser)('a report in HTML', () => {
  const folder = sharedFolder()

  function run(...args: string[]): Promise<{ status: number; stderr: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...args], { cwd: folder }, (error, _stdout, stderr) => {
        resolve({ status: typeof error?.code === 'number' ? error.code : 0, stderr })
      })
    })
  }

  it('links a failed replay to the request, the fault and the gap without a network', async () => {
    const out = join(folder, 'replay.html')
    const command = [process.execPath, '--input-type=module', '-e', agent, 'backs-off']
    const { status, stderr } = await run(
      ...'replay refund-request --extend common --agent-controls all --out'.split(' '),
      out,
      '--',
      ...command,
    )
    expect([status, stderr]).toEqual([1, expect.any(String)])
    expect((await stat(out)).size).toBeGreaterThan(20_000)
    expect(await readFile(out, 'utf8')).not.toMatch(/src="http|href="http|sk-live|Bearer test-key/)
    const browser = await useBrowser()
    const context = await browser.newContext({ offline: true })
    const page = await context.newPage()
    const [errors, asked]: [string[], string[]] = [[], []]
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) asked.push(request.url())
    })
    await page.goto(pathToFileURL(out).href)
    await page
      .getByText(/^identity support, ident_\w+ \(.* into the story\)\ndisplay_name: expected "Busy"/)
      .waitFor()
    await page
      .getByText(/refund-request failed/)
      .first()
      .waitFor()
    await page.getByRole('link', { name: '1 request', exact: true }).click()
    await page.getByRole('list', { name: 'Requests' }).getByRole('link').click()
    await page.getByText('Why this response: a fault').waitFor()
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Report' }).click()
    await page.getByRole('region', { name: 'Gaps' }).getByRole('link', { name: 'threads.total' }).click()
    await page
      .getByText(/Where:/)
      .first()
      .waitFor()
    for (const screen of ['Mailbox', 'Traffic', 'Deliveries', 'Story']) {
      await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen }).click()
      await expect.poll(() => page.getByText('Loading…').count()).toBe(0)
    }
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Mailbox' }).click()
    await page.getByRole('link', { name: /On its way/ }).click()
    await page.getByRole('link', { name: /sent by request \d+/ }).click()
    await expect.poll(() => page.url()).toMatch(/traffic\/\d+$/)
    expect([errors, asked]).toEqual([[], []])
  })

  it('shows which start of the agent sent each request', async () => {
    const [out, scenario] = [join(folder, 'starts.html'), join(folder, 'starts.json')]
    const timeline = [{ when: { request: 'messages.list' }, agent: 'kill' }]
    await writeFile(scenario, JSON.stringify({ scenario: 'starts', timeline }))
    const asking = `
      const headers = { authorization: 'Bearer ' + process.env.MAILBOX_API_KEY }
      for (const path of ['threads', 'messages'])
        await fetch(process.env.MAILBOX_BASE_URL + '/api/v1/mail/' + path, { headers })`
    await run('replay', scenario, '--out', out, '--', process.execPath, '--input-type=module', '-e', asking)
    const browser = await useBrowser()
    const page = await (await browser.newContext({ offline: true })).newPage()
    await page.goto(`${pathToFileURL(out).href}#/traffic`)
    const requests = page.getByRole('list', { name: 'Requests' }).getByRole('link')
    await expect
      .poll(() => requests.getByText(/^start/).allInnerTexts())
      .toEqual(['2', '2', '1', '1'].map((start) => `start ${start}`))
    await requests.last().click()
    await page.getByRole('region', { name: 'Exchange' }).getByText('start 1').waitFor()
  })

  it('shows what breaks a client in a check, and its requests', async () => {
    const out = join(folder, 'check.html')
    const desk = join(folder, 'desk.json')
    const identities = [{ handle: 'support', generate: { threads: 5, messages: 1 } }]
    await writeFile(desk, JSON.stringify({ scenario: 'desk', identities }))
    const command = [process.execPath, '--input-type=module', '-e', agent]
    const { status, stderr } = await run(
      ...['check', desk, '--only', 'assumptions/threads.total/*', '--out', out, '--'],
      ...command,
    )
    expect([status, stderr]).toEqual([1, expect.any(String)])
    const browser = await useBrowser()
    const page = await (await browser.newContext({ offline: true })).newPage()
    await page.goto(pathToFileURL(out).href)
    await page
      .getByText('show the run threads.total has the assumption page-size')
      .waitFor({ timeout: 20_000 })
    const breaks = page.getByRole('region', { name: 'What failed' })
    await breaks.getByText('threads.total has the assumption page-size').first().waitFor()
    await breaks.getByRole('link', { name: 'requests whose responses depend on it' }).click()
    await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().click()
    await page.getByText('Other assumptions:').first().waitFor()
    await page.getByRole('region', { name: 'Exchange' }).getByText('mail/threads').first().waitFor()
  })
})
