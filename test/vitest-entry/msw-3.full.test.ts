import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { built } from '../cli/built-program.js'
import { installMsw3 } from '../support/msw-3.js'
import { sharedFolder, writeInto } from '../support/temporary-folder.js'
import { type Release, testOwnServers } from './own-servers.js'

const folder = sharedFolder()
await installMsw3(folder)
await symlink(built.folder, join(folder, 'node_modules/agent-mailbox-sim'), 'junction')

/** Imports an entry of the installed release. */
async function installed(entry: string): Promise<object> {
  return import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(entry)).href)
}

/** What MSW 3 uses of Node 22. */
const laterFeatures: readonly (readonly [object, string, unknown])[] = [
  [Promise, 'withResolvers', withResolvers],
  [Set.prototype, 'intersection', intersection],
  [Set.prototype, 'difference', difference],
]

function withResolvers<Value>() {
  let settle: object = {}
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle }
}

function intersection<Value>(this: Set<Value>, other: Set<Value>): Set<Value> {
  return new Set([...this].filter((value) => other.has(value)))
}

function difference<Value>(this: Set<Value>, other: Set<Value>): Set<Value> {
  return new Set([...this].filter((value) => !other.has(value)))
}

beforeAll(() => {
  const missing = laterFeatures.filter(([owner, name]) => !(name in owner))
  for (const [owner, name, value] of missing)
    Object.defineProperty(owner, name, { value, configurable: true })
  return () => {
    for (const [owner, name] of missing) Reflect.deleteProperty(owner, name)
  }
})

testOwnServers('MSW 3', { ...(await installed('msw')), ...(await installed('msw/node')) } as Release)

it('has servers and handlers that fit the types of the package', async () => {
  await writeInto(folder, {
    'use.ts': `
      import { createSimulator } from 'agent-mailbox-sim'
      import { listen } from 'agent-mailbox-sim/node'
      import { mailboxTest } from 'agent-mailbox-sim/vitest'
      import { HttpResponse, http } from 'msw'
      import { setupServer } from 'msw/node'
      const ping = http.get('/api/v1/ping', () => HttpResponse.text('pong'))
      export const test = mailboxTest({ server: setupServer(...(await createSimulator()).handlers, ping) })
      const simulator = await listen()
      simulator.server.use(ping)
      // @ts-expect-error Types that could not be found would accept it.
      await listen({ extend: [5] })`,
    'package.json': JSON.stringify({ type: 'module' }),
  })
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace('package.json', 'bin/tsc')
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022']
  const running = promisify(execFile)(process.execPath, [tsc, ...flags, 'use.ts'], { cwd: folder })
  const { stdout } = await running.catch((error: { readonly stdout: string }) => error)
  expect(stdout).toBe('')
})
