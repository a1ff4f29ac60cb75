import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build, createLogger, type InlineConfig, type Plugin, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { built } from '../cli/built-program.js'
import { launchBrowser, noBrowser, openPage } from '../inspector/browser.js'
import { installMsw3 } from '../support/msw-3.js'
import { sharedFolder } from '../support/temporary-folder.js'
import type { Step } from './page/main.js'

/** The page's own part of its window. */
interface Steps {
  readonly steps: Readonly<Record<string, () => unknown>>
}

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const folder = sharedFolder()

/** Returns the folder of a release of MSW. */
async function folderOfMsw(release: string): Promise<string> {
  if (release === 'MSW 2') return at('node_modules/msw')
  const own = join(folder, 'with-msw-3')
  await mkdir(own)
  await installMsw3(own)
  return join(own, 'node_modules/msw')
}

/** Builds the page with a release of MSW, and serves it; `warnings` are those of the build. */
async function servePage(release: string) {
  const root = join(folder, release)
  const msw = await folderOfMsw(release)
  await cp(at('test/browser/page'), root, { recursive: true })
  await mkdir(join(root, 'node_modules'))
  await symlink(built.folder, join(root, 'node_modules/agent-mailbox-sim'), 'junction')
  await symlink(msw, join(root, 'node_modules/msw'), 'junction')
  await cp(join(msw, 'lib/mockServiceWorker.js'), join(root, 'public/mockServiceWorker.js'))
  const warnings: string[] = []
  const logger = createLogger('silent')
  const customLogger = { ...logger, warn: (message: string) => void warnings.push(message) }
  const receiver: Plugin = {
    name: 'receiver',
    configurePreviewServer({ middlewares }) {
      middlewares.use('/sent', (_, response) => response.writeHead(202).end())
    },
  }
  const options: InlineConfig = {
    root,
    configFile: false,
    logLevel: 'warn',
    customLogger,
    plugins: [receiver],
  }
  await build({ ...options, build: { chunkSizeWarningLimit: 10_000 } })
  const server = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
  return { url: server.resolvedUrls?.local[0] as string, warnings, close: () => server.close() }
}

describe.skipIf(noBrowser).each(['MSW 2', 'MSW 3'])('a page with the worker of %s', (release) => {
  let served: Awaited<ReturnType<typeof servePage>>
  let browser: Browser
  let page: Page
  let errors: readonly string[]

  beforeAll(async () => {
    served = await servePage(release)
    browser = await launchBrowser()
    ;({ page, errors } = await openPage(browser, served.url))
    await page.waitForFunction(() => 'steps' in window)
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  const perform = (name: Step): Promise<unknown> => {
    return page.evaluate((step) => (window as unknown as Steps).steps[step]?.(), name as string)
  }

  it('is built without a module of Node', () => {
    expect(served.warnings).toEqual([])
    expect(errors).toEqual([])
  })

  it('reads threads, messages and files', async () => {
    const files = [
      ['text/plain', 5],
      ['image/png', 170],
    ]
    expect(await perform('read')).toEqual({ total: 4, subject: 'Refund?', snippet: 'See below.', files })
  })

  it('changes an identity', async () => {
    expect(await perform('write')).toEqual([200, 'Desk'])
  })

  it('controls a world: its time, mail, faults and requests', async () => {
    const answers = [[503, undefined], 'TypeError', [404, undefined]]
    expect(await perform('control')).toEqual({ status: 200, answers, subjects: ['Now', 'Later', 'Refund?'] })
  })

  it('receives deliveries, and sends only those that it is told to', async () => {
    expect(await perform('deliver')).toEqual({
      received: 1,
      '/here': ['succeeded', 200],
      '/nobody': ['captured', expect.stringContaining('Nothing in this process receives it')],
      '/sent': ['succeeded', 202],
    })
  })

  it('is told of a failure of its extension, with the place', async () => {
    const message = /drafts\.list failed at http:.+\.js:\d+:\d+: Error: no drafts/
    expect(await perform('fail')).toEqual([500, [expect.stringMatching(message)]])
  })

  it('is told that a browser has no files', async () => {
    expect(await perform('refuse')).toMatch(
      /^ScenarioError: scenarios\/support-desk\.yaml: it cannot be read, since this runtime has no files: give/,
    )
  })
})
