import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { programInProcess } from '../cli/in-process.js'
import { folderOf } from '../support/temporary-folder.js'

const key = 'sk-live-4711-secret'

/** A service whose responses contain the key of the request. */
async function echoing(status: number, form: (key: string) => string): Promise<string> {
  const server = createServer(({ headers: { authorization = '' } }, response) => {
    const shown = authorization.replace('Bearer ', '')
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': `9999999, ${shown}` })
    response.end(form(shown))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each([
  [401, (echo: string) => JSON.stringify({ error: { code: 'unauthorized', message: `${echo} is wrong` } })],
  [200, (echo: string) => JSON.stringify({ webhooks: [], [echo]: echo })],
  [404, (echo: string) => `<p>${echo}</p>`],
])('a service that echoes the key with %i gets it onto no stream', async (status, form) => {
  const run = programInProcess({ MAIL_KEY: key })
  const service = ['--base-url', await echoing(status, form), '--api-key-env', 'MAIL_KEY', '--rate', '1000']
  const calibrated = await run('calibrate', ...service).outcome
  const chosen = ['--agent', 'support', '--out', await folderOf()]
  const imported = await run('scenarios', 'import', ...service, ...chosen).outcome
  const shown = JSON.stringify([calibrated, imported])
  expect(shown).not.toContain(key)
  expect(calibrated.stderr).not.toBe('')
})
