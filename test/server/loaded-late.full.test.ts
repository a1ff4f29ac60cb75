import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { built } from '../cli/built-program.js'

/** Runs a module in a new process and returns its output. */
async function run(code: string): Promise<string> {
  const server = pathToFileURL(join(built.folder, 'dist/doors/server/entry.js')).href
  const module = `import { startServer } from '${server}'\n${code}`
  const options = { cwd: built.folder }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', module],
    options,
  )
  return stdout.trim()
}

const asking = `
  const server = await startServer({ scenario: 'empty', port: 0 })
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
  const rename = { method: 'PATCH', headers, body: '{"display_name":"Desk"}' }
  const paths = [['/_sim/health'], ['/api/v1/identities/desk', rename], ['/api/v1/mail/threads', { headers }]]
  const ask = ([path, request]) => fetch(server.url + path, request).then(({ status }) => status)`

describe('modules that a server loads on first use', () => {
  it('serve all requests that wait for them', async () => {
    const statuses = await run(`${asking}
      console.log(JSON.stringify(await Promise.all([...paths, ...paths].map(ask))))
      await server.close()`)
    expect(JSON.parse(statuses)).toEqual([200, 200, 200, 200, 200, 200])
  })

  it('do not include MSW for the control API alone', async () => {
    const loaded = await run(`${asking}
      const { createRequire } = await import('node:module')
      const { readFileSync } = await import('node:fs')
      const hasMsw = () => {
        const files = Object.keys(createRequire('/').cache)
        return files.some((path) => readFileSync(path, 'utf8').includes('mswjs.io'))
      }
      const before = [await ask(paths[0]), hasMsw()]
      console.log(JSON.stringify([...before, await ask(paths[1]), hasMsw()]))
      await server.close()`)
    expect(JSON.parse(loaded)).toEqual([200, false, 200, true])
  })

  it('serve a program that is importing MSW', async () => {
    const statuses = await run(`${asking}
      const imported = import('msw')
      const answers = Promise.all(paths.map(ask))
      console.log(JSON.stringify(await answers))
      await imported
      await server.close()`)
    expect(JSON.parse(statuses)).toEqual([200, 200, 200])
  })
})
