import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type * as Server from '../../src/doors/server/start-server.js'

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

/**
 * Says why browser tests cannot run here; undefined where they can. On a build machine they always run, and fail where
 * there is no browser.
 */
export const noBrowser: string | undefined =
  existsSync(executablePath) || process.env['CI'] !== undefined
    ? undefined
    : `no Chromium at ${executablePath}; install it (Debian: chromium) or set CHROMIUM_PATH`

/** Starts a browser without background connections. */
export function launchBrowser(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  return chromium.launch({ executablePath, args })
}

/** A page and what went wrong on it. */
export interface WatchedPage {
  readonly page: Page
  /** Errors of the page's own code. */
  readonly errors: string[]
  /** Addresses outside the server that the page requested. */
  readonly foreign: string[]
}

/** Opens a page of a server and watches it. */
export async function openPage(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options })
  const errors: string[] = []
  const foreign: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('request', (request) => {
    const target = request.url()
    const local = target.startsWith(new URL(url).origin) || /^(data|blob|about):/.test(target)
    if (!local) foreign.push(target)
  })
  await page.goto(url)
  return { page, errors, foreign }
}

/** Starts a server of the built package, which has the page. */
export async function startBuiltServer(options: Server.ServerOptions): Promise<Server.RunningServer> {
  const built = new URL('../../dist/doors/server/entry.js', import.meta.url).href
  const { startServer } = (await import(built)) as typeof Server
  return startServer({ port: 0, ...options })
}

/** Starts a browser that is closed after the test. */
export async function useBrowser(): Promise<Browser> {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  return browser
}

/** Starts a server of the built package that is closed after the test. */
export async function useBuiltServer(options: Server.ServerOptions): Promise<Server.RunningServer> {
  const server = await startBuiltServer(options)
  onTestFinished(() => server.close())
  return server
}
