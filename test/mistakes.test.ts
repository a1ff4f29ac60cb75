import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { listen } from 'agent-mailbox-sim/node'
import { expect, it, onTestFinished, vi } from 'vitest'
import { desk, serveDesk } from './server/desk.js'

const golden = new URL('fixtures/mistakes.txt', import.meta.url)

interface Mistake {
  readonly line: string
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the request that a line describes: `GET /path | header: value`; without a header, it has a valid key. */
function parseMistake(line: string): Mistake {
  const [request = '', ...fields] = line.slice(2).split(' | ')
  const [method = '', target = ''] = request.split(' ')
  const headers = Object.fromEntries(fields.map((field) => field.split(': ', 2)).filter(([name]) => name))
  return { line, method, target, headers: fields.length > 0 ? headers : { authorization: 'Bearer desk-key' } }
}

/** Sends a request; returns the status with the error message, or with `{}` if it is not refused. */
async function send(baseUrl: string, { method, target, headers }: Mistake): Promise<string> {
  const response = await fetch(`${baseUrl}${target}`, { method, headers })
  const text = await response.text()
  return `${response.status} ${text === '' ? '' : (JSON.parse(text).error?.message ?? '{}')}`.trim()
}

/** Returns the result of each request, and the hint that it left in the journal or on the console. */
async function resultsOf(mistakes: readonly Mistake[]): Promise<string> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const mailbox = await listen({ scenario: desk, baseUrl: 'http://127.0.0.1:9' })
  const inProcess: string[] = []
  for (const mistake of mistakes) {
    const result = await send(mailbox.baseUrl, mistake).catch((error: Error) => error.message)
    const { hints = [], near_miss = null } = mailbox.journal.exchanges().at(-1) ?? {}
    const notes = [...hints.map((hint) => `hint: ${hint}`), ...(result.includes(' ') ? [] : [near_miss])]
    const warned = warn.mock.calls.splice(0).map(([text]) => `console: ${text}`)
    const shown = warned.filter((text) => !text.includes(result.slice(4, 60)))
    inProcess.push([result, ...notes, ...shown].join('\n  '))
  }
  mailbox.close()
  warn.mockRestore()
  const { url } = await serveDesk()
  const blocks: string[] = []
  for (const [index, mistake] of mistakes.entries()) {
    const result = inProcess[index] as string
    const served = await send(url, mistake)
    const differs = served !== result.split('\n', 1)[0]
    blocks.push([mistake.line, `  ${result}`, ...(differs ? [`  served: ${served}`] : []), ''].join('\n'))
  }
  return blocks.join('\n')
}

// Each line of the file that begins with `$` is sent; `-u` writes the results below it, to be read in review.
it('explains the mistakes of clients in process and over HTTP, with the remedy', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const lines = readFileSync(golden, 'utf8').match(/^\$ .*$/gm) ?? []
  expect(lines.length).toBeGreaterThan(20)
  await expect(await resultsOf(lines.map(parseMistake))).toMatchFileSnapshot(golden.pathname)
})

it('tells a client that its body is compressed', async () => {
  const mailbox = await listen({ scenario: desk })
  onTestFinished(() => mailbox.close())
  const headers = {
    authorization: 'Bearer desk-key',
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  }
  const init = { method: 'PATCH', headers, body: gzipSync('{"display_name":"Zip"}') }
  const answer = await fetch(`${mailbox.baseUrl}/api/v1/identities/support`, init)
  expect([answer.status, (await answer.json()).error.message]).toEqual([
    400,
    'The body is compressed (Content-Encoding: gzip); send it without that.',
  ])
})
