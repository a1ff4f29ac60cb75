import type { RunningServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { ask } from './control-client.js'
import { isUntouched, serveDesk } from './desk.js'
import { openSocket, readAnswers, requestText } from './raw-request.js'

const threads = async ({ url }: RunningServer, key: string) => {
  const answer = await fetch(`${url}/api/v1/mail/threads`, { headers: { authorization: `Bearer ${key}` } })
  return (await answer.json()).threads.map(({ subject }: { subject: string }) => subject)
}

describe('the worlds of a server', () => {
  it('can number five hundred', async () => {
    const server = await serveDesk()
    for (let made = 0; made < 500; made += 100) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => fetch(`${server.controlUrl}/worlds`, { method: 'POST' })),
      )
      await Promise.all(answers.map((answer) => answer.arrayBuffer()))
    }
    const { worlds } = (await ask(server, 'GET', '/worlds')).body
    expect(worlds).toHaveLength(501)
    expect(new Set(worlds.map(({ api_key }: { api_key: string }) => api_key)).size).toBe(501)
    const [last] = worlds.slice(-1)
    await ask(server, 'POST', '/messages', { world: last.id, body: { to: 'support', subject: 'The last' } })
    expect(await threads(server, last.api_key)).toEqual(['The last', 'Where is my order?'])
    expect(await threads(server, worlds[250].api_key)).toHaveLength(1)
  })
})

describe('POST /_sim/messages', () => {
  it('accepts mail and files of many megabytes', async () => {
    const server = await serveDesk()
    const content = Buffer.alloc(30_000_000, 7).toString('base64')
    const attachments = [{ filename: 'large.bin', content }]
    const inJson = await ask(server, 'POST', '/messages', { body: { to: 'support', attachments } })
    expect(inJson.body.message.attachments[0].size_bytes).toBe(30_000_000)
    const lines = (content.slice(0, 20_000_000).match(/.{1,76}/g) ?? []).join('\r\n')
    const eml = `From: a@b.example\r\nTo: support@agents.example\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}`
    const headers = { 'content-type': 'message/rfc822' }
    const raw = await ask(await serveDesk(), 'POST', '/messages', { body: eml, headers })
    expect([raw.status, raw.body.message.attachments.length]).toEqual([201, 1])
  })

  it.each([
    ['application/json', '{}'.padEnd(52_428_801)],
    ['message/rfc822', 'x'.repeat(36_700_161)],
  ])('refuses more than is accepted: %s', async (type, body) => {
    const server = await serveDesk()
    const headers = { 'content-type': type }
    const answer = await ask(server, 'POST', '/messages', { body, headers })
    expect([answer.status, answer.body.error.code]).toEqual([413, 'content_too_large'])
    expect(server.simulator.journal.commands()).toEqual([])
  })
})

describe('PUT /_sim/snapshot', () => {
  it('refuses more than 128 MB and keeps serving', async () => {
    const server = await serveDesk()
    const socket = await openSocket(server.url)
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    socket.write(requestText('PUT /_sim/snapshot', headers))
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`
    // As much of the rest as a server reads before it closes the connection.
    let left = 131
    const send = (): void => {
      while (left > 0 && socket.writable) if (!socket.write(--left > 0 ? chunk : '0\r\n\r\n')) break
      if (left > 0) socket.once('drain', send)
    }
    const answers = readAnswers(socket)
    send()
    expect((await answers).map(({ status }) => status)).toEqual([413])
    expect(await isUntouched(server)).toBe(true)
  })
})
