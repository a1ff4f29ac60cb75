import { readFile, symlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startServer } from 'agent-mailbox-sim/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderOf } from '../support/temporary-folder.js'
import { operations } from './control-client.js'
import { serveDesk } from './desk.js'
import { commandsIn, expected, hasCurl, withCurl, withFetch, wordsOf } from './page-commands.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manual = await readFile(`${root}/docs/control-api.md`, 'utf8')

const commands = commandsIn(manual)
const runners = hasCurl
  ? [['curl', withCurl] as const, ['fetch', withFetch] as const]
  : [['fetch', withFetch] as const]

describe('docs/control-api.md', () => {
  it('has exactly one section with a command for each operation', () => {
    const sections = [...manual.matchAll(/^### (\w+) (\S+)\n([^#]*?)```sh\n(curl[^`]*)```/gm)].map(
      ([, method = '', path = '', , command = '']) => {
        const asked = new URL(
          wordsOf(command.replace(/\\\n/g, ' ')).find((word) => word.startsWith('http')) ?? '',
        )
        const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
        return { name: `${method} ${path}`, asked: pattern.test(asked.pathname) }
      },
    )
    const names = operations.map(({ method, path }) => `${method} ${path}`)
    expect(sections.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    expect(sections.filter(({ asked }) => !asked)).toEqual([])
    expect(manual.match(/^### /gm)).toHaveLength(names.length)
  })

  it.each(runners)('shows commands that work, as %s shows', async (_name, run) => {
    const folder = await folderOf()
    await symlink(`${root}/fixtures`, `${folder}/fixtures`)
    const server = await startServer({ port: 0, clock: 'frozen' })
    onTestFinished(async () => void (await server.close()))
    expect(commands.length).toBeGreaterThan(operations.length)
    for (const { args, status, shown } of commands) {
      const here = args.map((word) => word.replace('http://127.0.0.1:4280', server.url))
      const answer = await run(here, folder)
      expect([args.join(' '), answer.status, answer.status < 400 || answer.body]).toEqual([
        args.join(' '),
        status,
        status < 400 || answer.body,
      ])
      if (shown !== undefined) expect(JSON.parse(answer.body)).toMatchObject(expected(shown) as object)
    }
  })
})

describe('docs/webhooks.md', () => {
  it.each(runners)('shows commands that work, as %s shows', async (_name, run) => {
    const { url, simulator } = await serveDesk({
      readings: 'worst-case',
      receiver: () => new Response(null, { status: 500 }),
    })
    const page = commandsIn(await readFile(`${root}/docs/webhooks.md`, 'utf8'))
    expect(page.length).toBeGreaterThan(3)
    let body = ''
    for (const { args, status } of page) {
      const answer = await run(
        args.map((word) => word.replace('http://127.0.0.1:4280', url)),
        '.',
      )
      expect([args.at(-1), answer.status]).toEqual([args.at(-1), status])
      body = answer.body
    }
    expect(JSON.parse(body).deliveries).toMatchObject([
      { url: 'http://127.0.0.1:9/hook' },
      { url: 'http://127.0.0.1:8787/hook', status: 'failed', attempts: [{ response: { status: 500 } }] },
    ])
    expect(simulator.clock.now()).toBe('2026-01-05T11:00:00.000Z')
  })
})
