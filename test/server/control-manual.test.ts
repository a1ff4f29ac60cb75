import { readFile, symlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startServer } from 'agent-mailbox-sim/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderOf } from '../support/temporary-folder.js'
import { operations } from './control-client.js'
import { commandsIn, expected, hasCurl, withCurl, withFetch, wordsOf } from './page-commands.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manual = await readFile(`${root}/docs/control-api.md`, 'utf8')

const commands = commandsIn(manual)

describe('the manual of the control API', () => {
  it('has a section with a command for each operation, and for no other', () => {
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

  it.each(
    hasCurl ? [['curl', withCurl] as const, ['fetch', withFetch] as const] : [['fetch', withFetch] as const],
  )('tells the truth, as %s sees it', async (_name, run) => {
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
