import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

// Takes the screenshot for the documentation: npm run pictures. Needs Chromium. The picture ships with the package, so
// reduce it to a palette of 64 colours afterwards (pngquant 64).

const root = fileURLToPath(new URL('..', import.meta.url))
const { startServer } = await import(pathToFileURL(join(root, 'dist/server/index.js')).href)
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--hide-scrollbars'],
})
const server = await startServer({ scenario: 'refund-request', clock: 'frozen', port: 0 })
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 700 } })
  await tellAStory()
  const { threads } = server.simulator.mailbox.threads({ search: 'order 4187' })
  await take(page, `mailbox/support/${threads[0].id}`, 'mailbox', () =>
    page.getByRole('article').first().waitFor(),
  )
} finally {
  await browser.close()
  await server.close()
}

/** Lists threads, meets a fault and reads a conversation like a client, while the story continues. */
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
