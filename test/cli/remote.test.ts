import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { startServer } from 'agent-mailbox-sim/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { programInProcess } from './in-process.js'
import { useFolder } from './temporary-folder.js'

let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  server = await startServer({ scenario: 'refund-request', clock: 'frozen', port: 0 })
})
afterAll(() => server.close())

const run = (...args: string[]) => programInProcess()(...args, '--url', server.url).outcome

describe('receive', () => {
  it('receives mail at the running server', async () => {
    const { status, stdout } = await run('receive', 'support', 'Lamp?', '--from', 'Bo <bo@shop.example>')
    expect(status).toBe(0)
    const [, id, sender, subject, thread] = /^(msg_\w+) from (.+): (.+)\nin (thrd_\w+)\n$/.exec(stdout) ?? []
    expect(server.simulator.mail.get(id ?? '')).toMatchObject({ from: sender, subject, thread_id: thread })
    expect([sender, subject]).toEqual(['Bo <bo@shop.example>', 'Lamp?'])
  })

  it('accepts a raw mail', async () => {
    const path = await useFolder()
    await writeFile(path('mail.eml'), 'From: Cy <cy@shop.example>\r\nSubject: Hello\r\n\r\nHi')
    expect(await run('receive', 'support', '--eml', path('mail.eml'))).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('from Cy <cy@shop.example>: Hello\n'),
    })
  })

  it.each([
    [['receive', 'suport'], 'No agent of this world is "suport"; the agents are support.'],
    [['receive', 'support', '--world', '世界'], 'There is no world "世界"; POST /_sim/worlds creates one'],
  ])('%j is explained', async (args, explanation) => {
    expect(await run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(explanation) })
  })
})

describe('trigger', () => {
  it('lists upcoming entries and advances to one', async () => {
    const listed = (await run('trigger')).stdout.trimEnd().split('\n')
    expect(listed).toHaveLength(server.simulator.timeline.left)
    expect(listed[0]).toBe('2026-01-05T09:00:30.000Z  follow-up')
    const { stdout } = await run('trigger', '1m', 'fault')
    expect(stdout).toBe('2026-01-05T09:00:30.000Z  follow-up\n2026-01-05T09:01:00.000Z  1m fault\n')
    expect(server.simulator.clock.now()).toBe('2026-01-05T09:01:00.000Z')
  })

  it.each([
    ['folow-up-2', 'No entry "folow-up-2" of the story is to come; expected one of 90s send'],
    ['follow-up', 'No entry "follow-up" of the story is to come; expected one of 90s send'],
  ])('explains that it cannot advance to %s', async (entry, explanation) => {
    expect(await run('trigger', entry)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(explanation),
    })
  })
})

it('takes the server and its token from the environment, and does not show the token', async () => {
  const { origin } = new URL(server.url)
  const start = programInProcess({ MAILBOX_SIM_URL: `${origin}/`, MAILBOX_SIM_TOKEN: 'hush' })
  expect((await start('trigger').outcome).status).toBe(0)
  const { stdout } = await start('trigger', '--help').outcome
  expect(stdout).toContain('MAILBOX_SIM_TOKEN')
  expect(stdout).not.toContain('hush')
})

it('explains that what listens is no simulator', async () => {
  const other = createServer((socket) => void socket.end('220 mail ready\r\n')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  expect(await programInProcess()('trigger', '--url', `127.0.0.1:${port}`).outcome).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /^error: No simulator responds at http:\/\/127\.0\.0\.1:\d+\/_sim \(.+\)\. /,
    ),
  })
})
