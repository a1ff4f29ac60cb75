import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer } from 'agent-mailbox-sim/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { operations } from './control-client.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manual = await readFile(`${root}/docs/control-api.md`, 'utf8')

/** A command of the manual, with what it says comes of it. */
interface Command {
  readonly args: readonly string[]
  readonly status: number
  /** The answer it shows, of which the real one may have more. */
  readonly shown: unknown
}

/** The commands of the manual, in its order. */
const commands = [...manual.matchAll(/```sh\n(curl[^`]*)```(?:\n\n```json\n([^`]*)```)?/g)].map(
  ([, text = '', shown]): Command => ({
    args: wordsOf(text.replace(/\\\n/g, ' ').replace(/ # \d+\n$/, '')),
    status: Number(/ # (\d+)\n$/.exec(text)?.[1] ?? 200),
    shown: shown === undefined ? undefined : JSON.parse(shown),
  }),
)

/** The words of a command as a shell has them, as far as the manual needs one. */
function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/'([^']*)'|[^\s']+/g)].map(([word, quoted]) => quoted ?? word)
  return words.slice(1)
}

type Run = (args: readonly string[], folder: string) => Promise<{ status: number; body: string }>

const runFile = promisify(execFile)

/** Runs a command as it stands; what is written into a file, or has no end, is read all the same. */
const withCurl: Run = async (args, folder) => {
  const endless = args.includes('-N') ? ['--max-time', '1'] : []
  const output = args.includes('-o') ? args[args.indexOf('-o') + 1] : undefined
  const told = ['-sS', '-w', '\n%{http_code}', ...endless, ...args]
  const { stdout } = await runFile('curl', told, { cwd: folder, maxBuffer: 100_000_000 }).catch((error) => {
    // What has no end was ended here.
    if (error.code === 28 && endless.length > 0) return error
    throw error
  })
  const cut = stdout.lastIndexOf('\n')
  const body = output === undefined ? stdout.slice(0, cut) : await readFile(`${folder}/${output}`, 'utf8')
  return { status: Number(stdout.slice(cut + 1)), body }
}

/** Sends the request that a command stands for. */
const withFetch: Run = async (args, folder) => {
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

const hasCurl = await runFile('curl', ['--version']).then(
  () => true,
  () => false,
)

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
    const folder = await mkdtemp(`${tmpdir()}/mailbox-sim-`)
    onTestFinished(() => rm(folder, { recursive: true }))
    await symlink(`${root}/fixtures`, `${folder}/fixtures`)
    const server = await startServer({ port: 0, clock: 'frozen' })
    onTestFinished(() => server.close())
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

/** What is shown, where `…` stands for whatever is there. */
function expected(shown: unknown): unknown {
  if (shown === '…') return expect.any(String)
  if (Array.isArray(shown)) return shown.map(expected)
  if (typeof shown !== 'object' || shown === null) return shown
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, expected(value)]))
}
