import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { useFolder } from '../cli/temporary-folder.js'

/** The functions of every script: requests, the clock, and its end. */
const prelude = `
  import { createServer } from 'node:http'
  const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key, MAILBOX_SIM_URL: sim } = process.env
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
  const ask = async (path, body) => {
    const method = body === undefined ? 'GET' : 'PATCH'
    const answer = await fetch(base + '/api/v1' + path, { method, headers, body: JSON.stringify(body) })
    return answer.json()
  }
  const advance = (time) =>
    fetch(sim + '/clock', { method: 'POST', headers, body: JSON.stringify({ advance: time }) })
  const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds))
  const untilTheEnd = () => new Promise(() => setInterval(() => undefined, 1e6))
  const receive = (port, onDelivery) => new Promise((resolve) => {
    createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk)).on('end', () => {
        response.end()
        if (request.method === 'POST') onDelivery(JSON.parse(body))
      })
    }).listen(port, '127.0.0.1', resolve)
  })
`

/** The programs of agents, without the prelude. */
export const scripts = {
  /** Reads every unread thread once, reports progress and ends. */
  diligent: `
    const { threads } = await ask('/mail/threads?agent=support')
    for (const { id, unread } of threads) if (unread) await ask('/mail/messages?thread_id=' + id)
    await ask('/identities/support', { display_name: 'Busy' })
  `,
  /** Does nothing, and is done. */
  idle: '',
  /** Asks once, and stays. */
  present: `await ask('/mail/threads?agent=support'); await untilTheEnd()`,
  /** Gives up. */
  failing: `await ask('/mail/threads'); console.error('no idea, with ' + key + ' at ' + base); process.exit(3)`,
} as const

/** Creates a folder for a test and returns a function that writes scripts and returns their commands. */
export async function useAgents(): Promise<(script: string) => Promise<string[]>> {
  const path = await useFolder()
  let count = 0
  return async (script) => {
    const file = path(`agent-${++count}.mjs`)
    await writeFile(file, `${prelude}\n${script}`)
    return [process.execPath, file]
  }
}

/** Returns an unused port. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
