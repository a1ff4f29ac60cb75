import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

// Takes the pictures of the documentation from the real page: npm run pictures. It needs Chromium. They ship with the
// package, so bring them down to a palette of 64 colours afterwards (pngquant 64), a third of their size.

const root = fileURLToPath(new URL('..', import.meta.url))
const { startServer } = await import(pathToFileURL(join(root, 'dist/server/index.js')).href)
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--hide-scrollbars'],
})
const server = await startServer({ scenario: 'refund-request', clock: 'frozen', port: 0 })
const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 700 } })
  await tellAStory()
  const { threads } = server.simulator.mailbox.threads({ search: 'order 4187' })
  await take(page, `mailbox/support/${threads[0].id}`, 'mailbox', () =>
    page.getByRole('article').first().waitFor(),
  )
  await take(page, 'traffic/1', 'traffic', async () => {
    await page.getByText(/Under page-size the answer would differ/).click()
    await page.locator('.diff .added').first().waitFor()
    await page.locator('.diff').scrollIntoViewIfNeeded()
  })
  await take(page, 'story', 'story', () => page.getByText('Expectations').waitFor())
  await takeExploreReport(page)
} finally {
  await browser.close()
  await server.close()
  rmSync(folder, { recursive: true })
}

/** Has a client list threads, meet a fault and read a conversation, while the story goes on. */
async function tellAStory() {
  const { simulator, url } = server
  simulator.webhooks.on('*', () => new Response('taken'))
  const ask = (path) => fetch(`${url}/api/v1/${path}`, { headers: { authorization: 'Bearer test-key' } })
  await ask('mail/threads?agent=support&limit=5')
  await ask('mail/messages?limit=5')
  await simulator.clock.advance('65s')
  await ask('mail/threads?agent=support&limit=5')
  await ask('identities/support')
  await simulator.clock.advance('30s')
  await ask('mail/threads?agent=support&limit=5')
}

async function take(page, address, name, ready) {
  await page.goto(`${server.url}/_sim/#/${address}`)
  await ready()
  await page.screenshot({ path: join(root, `docs/pictures/${name}.png`) })
}

/** Explores a client that trusts `total`, and opens the report. */
async function takeExploreReport(page) {
  const client = `
    const headers = { authorization: 'Bearer ' + process.env.MAILBOX_API_KEY }
    const url = process.env.MAILBOX_BASE_URL + '/api/v1/mail/threads?limit=5'
    const { total } = await (await fetch(url, { headers })).json()
    if (total <= 5) { console.error('Error: expected more than one page of threads'); process.exit(1) }`
  const out = join(folder, 'explore.html')
  const program = join(root, 'dist/cli/main.js')
  writeFileSync(join(folder, 'agent.mjs'), client)
  const explore = [program, 'explore', '--out', out, '--', 'node', 'agent.mjs']
  try {
    execFileSync(process.execPath, explore, { cwd: folder, stdio: 'ignore' })
  } catch {
    // The client breaks, as it should.
  }
  await page.goto(pathToFileURL(out).href)
  await page.getByRole('region', { name: 'Readings that break the client' }).waitFor()
  await page.screenshot({ path: join(root, 'docs/pictures/explore-report.png') })
}
