import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'

/** A command of a page with its documented result. */
export interface Command {
  readonly args: readonly string[]
  readonly status: number
  /** The documented part of the answer. */
  readonly shown: unknown
}

/** Returns the commands of a page in order; a block of several shows the answer to the last. */
export function commandsIn(page: string): Command[] {
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
export function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/'([^']*)'|[^\s']+/g)].map(([word, quoted]) => quoted ?? word)
  return words.slice(1)
}

/** Runs a command in a folder. */
export type Run = (args: readonly string[], folder: string) => Promise<{ status: number; body: string }>

const runFile = promisify(execFile)

/** Runs a command with curl; also reads output files and endless answers. */
export const withCurl: Run = async (args, folder) => {
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

/** Sends the request of a command with fetch. */
export const withFetch: Run = async (args, folder) => {
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

/** True if curl is installed. */
export const hasCurl = await runFile('curl', ['--version']).then(
  () => true,
  () => false,
)

/** Returns a documented value with `…` as a matcher of any text. */
export function expected(shown: unknown): unknown {
  if (shown === '…') return expect.any(String)
  if (Array.isArray(shown)) return shown.map(expected)
  if (typeof shown !== 'object' || shown === null) return shown
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, expected(value)]))
}
