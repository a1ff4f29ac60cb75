import { readFile, symlink, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startServer } from 'agent-mailbox-sim/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderOf } from '../support/temporary-folder.js'
import { operations } from './control-client.js'
import { serveDesk } from './desk.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manual = await readFile(`${root}/docs/control-api.md`, 'utf8')

const commands = commandsIn(manual)

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

  it('shows commands that work', async () => {
    const folder = await folderOf()
    await symlink(`${root}/fixtures`, `${folder}/fixtures`)
    const server = await startServer({ port: 0, clock: 'frozen' })
    onTestFinished(async () => void (await server.close()))
    expect(commands.length).toBeGreaterThan(operations.length)
    for (const { args, status, shown } of commands) {
      const here = args.map((word) => word.replace('http://127.0.0.1:4280', server.url))
      const answer = await runCurl(here, folder)
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
  it('shows commands that work', async () => {
    const { url, simulator } = await serveDesk({
      readings: 'worst-case',
      receiver: () => new Response(null, { status: 500 }),
    })
    const page = commandsIn(await readFile(`${root}/docs/webhooks.md`, 'utf8'))
    expect(page.length).toBeGreaterThan(3)
    let body = ''
    for (const { args, status } of page) {
      const answer = await runCurl(
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

/** A command of a page with its documented result. */
interface Command {
  readonly args: readonly string[]
  readonly status: number
  /** The documented part of the answer. */
  readonly shown: unknown
}

/** Returns the commands of a page in order; a block of several shows the answer to the last. */
function commandsIn(page: string): Command[] {
  return [...page.matchAll(/```sh\n(curl[^`]*)```(?:\n\n```json\n([^`]*)```)?/g)].flatMap(
    ([, block = '', shown]) => {
      const texts = block.replace(/\\\n/g, ' ').split(/\n(?=curl )/)
      return texts.map((text, index): Command => {
        const last = index === texts.length - 1
        return {
          args: wordsOf(text.replace(/ # \d+\n?$/, '')),
          status: Number(/ # (\d+)\n?$/.exec(text)?.[1] ?? 200),
          shown: shown === undefined || !last ? undefined : JSON.parse(shown),
        }
      })
    },
  )
}

/** Splits a command into words like a shell. */
function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/'([^']*)'|[^\s']+/g)].map(([word, quoted]) => quoted ?? word)
  return words.slice(1)
}

/** Sends the request of a command, whose files are in a folder. */
async function runCurl(
  args: readonly string[],
  folder: string,
): Promise<{ readonly status: number; readonly body: string }> {
  const headers = new Headers()
  let [url, method, output]: (string | undefined)[] = []
  let body: Uint8Array<ArrayBuffer> | undefined
  const words = args.values()
  for (const word of words) {
    const value = (): string => words.next().value as string
    if (word === '-X') method = value()
    else if (word === '-H') headers.append(...(value().split(': ', 2) as [string, string]))
    else if (word === '-d') body = new TextEncoder().encode(value())
    else if (word === '--data-binary') body = new Uint8Array(await readFile(`${folder}/${value().slice(1)}`))
    else if (word === '-o') output = value()
    else if (word.startsWith('http')) url = word
    else expect(word).toBe('-N')
  }
  const sent = { method: method ?? (body ? 'POST' : 'GET'), headers, ...(body && { body }) }
  const answer = await fetch(url as string, sent)
  const { status } = answer
  if (args.includes('-N')) {
    const first = await answer.body?.getReader().read()
    return { status, body: new TextDecoder().decode(first?.value) }
  }
  const text = await answer.text()
  if (output !== undefined) await writeFile(`${folder}/${output}`, text)
  return { status, body: text }
}

/** Returns a documented value with `…` as a matcher of any text. */
function expected(shown: unknown): unknown {
  if (shown === '…') return expect.any(String)
  if (Array.isArray(shown)) return shown.map(expected)
  if (typeof shown !== 'object' || shown === null) return shown
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, expected(value)]))
}
