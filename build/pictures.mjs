import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import { chromium } from 'playwright-core'

// Takes the pictures of the documentation: npm run pictures. Needs Chromium. They ship with the package, so they have 192
// colours. With --all DIRECTORY, takes every picture in
// both themes and at 390, 1,280 and 2,560 pixels instead, to be looked at before a commit.

const root = fileURLToPath(new URL('..', import.meta.url))
const { startServer } = await import(pathToFileURL(join(root, 'dist/doors/server/entry.js')).href)
const [flag, directory] = process.argv.slice(2)
const isAll = flag === '--all'

/** The scenario that `npm start` opens, with an agent that reads its mail. */
const server = await startServer({ scenario: 'support-desk', clock: 'frozen', port: 0 })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--hide-scrollbars',
    '--disable-lcd-text',
  ],
})
const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const inspector = `${server.url}/_sim/#`
  const pictures = { ...(await readMail(inspector)), report: await report() }
  for (const [name, address] of Object.entries(pictures)) await take(page, name, address)
} finally {
  await browser.close()
  await server.close()
  await rm(folder, { recursive: true })
}

/** Reads mail like an agent while the story continues; returns the addresses of what to show. */
async function readMail(inspector) {
  const { simulator, url } = server
  simulator.webhooks.on('*', () => Response.json({ accepted: true }))
  const headers = { authorization: 'Bearer test-key' }
  const ask = async (path) => (await fetch(`${url}/api/v1/${path}`, { headers })).json()
  const readAll = async () => {
    const { threads } = await ask('mail/threads?agent=support&limit=5')
    await ask(`mail/messages?thread_id=${threads[0].id}`)
    return threads[0].id
  }
  await ask('identities/support')
  await readAll()
  await simulator.clock.advance('65s')
  const thread = await readAll()
  const seq = simulator.journal.exchanges({ operation: 'threads.list' }).at(-1)?.seq
  return {
    traffic: `${inspector}/traffic/${seq}?compare=threads.total%3Dpage-size`,
    mailbox: `${inspector}/mailbox/support/${thread}`,
    story: `${inspector}/story`,
  }
}

/** Replays the story against an agent that lists its threads once; returns the address of the report. */
async function report() {
  const agent = `
    const headers = { authorization: 'Bearer ' + process.env.MAILBOX_API_KEY }
    await fetch(process.env.MAILBOX_BASE_URL + '/api/v1/mail/threads?agent=support&limit=5', { headers })`
  const file = join(folder, 'report.html')
  const program = join(root, 'dist/cli/main.cjs')
  const command = ['--', process.execPath, '--input-type=module', '-e', agent]
  await new Promise((resolve) => {
    execFile(process.execPath, [program, 'replay', 'support-desk', '--out', file, ...command], resolve)
  })
  return pathToFileURL(file).href
}

/** Takes a picture when the place has loaded, and again for every theme and width if all are wanted. */
async function take(page, name, address) {
  await page.goto(address)
  await page.locator('main h2').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('main').textContent.includes('Loading…'))
  for (const width of isAll ? [390, 1280, 2560] : [1280]) {
    for (const colorScheme of isAll ? ['light', 'dark'] : ['light']) {
      await page.setViewportSize({ width, height: width > 2000 ? 1300 : 780 })
      await page.emulateMedia({ colorScheme })
      const path = isAll
        ? join(directory, `${name}-${width}-${colorScheme}.png`)
        : join(root, `docs/pictures/${name}.png`)
      await writeFile(path, await inFewColours(await page.screenshot()))
    }
  }
}

/** Returns a picture with its 192 most frequent colours, as an indexed PNG, which is a third of the size. */
async function inFewColours(picture) {
  const page = await browser.newPage()
  await page.goto('about:blank')
  const { width, height, palette, indexes } = await page.evaluate(reduce, picture.toString('base64'))
  await page.close()
  const pixels = Buffer.from(indexes, 'base64')
  const lines = Array.from({ length: height }, (_, y) => [
    Buffer.alloc(1),
    pixels.subarray(y * width, (y + 1) * width),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each pixel, an index into the palette.
  header.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(Buffer.concat(lines.flat()), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type, data) {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}

/** Runs in the browser: replaces each pixel of a PNG by the index of the nearest of its 192 most frequent colours. */
async function reduce(base64) {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
  const { width, height } = image
  const context = new OffscreenCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const colours = Array.from({ length: width * height }, (_, at) => {
    return (data[4 * at] << 16) | (data[4 * at + 1] << 8) | data[4 * at + 2]
  })
  const counts = new Map()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 192)
  const palette = frequent.map(([colour]) => [colour >> 16, (colour >> 8) & 255, colour & 255])
  const nearest = new Map()
  for (const colour of counts.keys()) {
    const distances = palette.map(([red, green, blue]) => {
      return Math.hypot(red - (colour >> 16), green - ((colour >> 8) & 255), blue - (colour & 255))
    })
    nearest.set(colour, distances.indexOf(Math.min(...distances)))
  }
  let text = ''
  for (const colour of colours) text += String.fromCharCode(nearest.get(colour))
  return { width, height, palette, indexes: btoa(text) }
}
