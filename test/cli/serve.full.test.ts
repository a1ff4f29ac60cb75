import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ask } from '../server/control-client.js'
import { openSocket, readAnswers, requestText } from '../server/raw-request.js'
import { built } from './built-program.js'
import { findLine, nextLine, type RunningProgram, useProgram } from './program.js'

const start = useProgram()

interface Ready {
  readonly url: string
  readonly control: string
  readonly seed: number
  readonly start: string
}

const readyOf = async (program: RunningProgram): Promise<Ready> => JSON.parse(await nextLine(program))

const threads = async (url: string): Promise<unknown> => {
  const headers = { authorization: 'Bearer test-key' }
  const answer = await fetch(`${url}/api/v1/mail/threads?agent=support&limit=1`, { headers })
  return answer.json()
}

describe('serve', () => {
  it('shows its address, its contents and a first request that works', async () => {
    const program = start('--port', '0', '--clock', 'frozen')
    const url = await findLine(program, /http:\/\/127\.0\.0\.1:\d+/)
    const curl = await findLine(program, /curl .*$/)
    await findLine(program, /Ctrl-C/)
    const shown = await promisify(execFile)('sh', ['-c', `${curl} --silent --fail`])
    expect(JSON.parse(shown.stdout).threads).toHaveLength(5)
    program.process.kill('SIGINT')
    const { status, stdout, stderr } = await program.outcome
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(`agent-mailbox-sim ${packageJson.version}\n`)
    expect(stdout).toMatch(/support-desk: 3 agents, \d+ threads, [\d,]+ messages, 3 webhooks\n/)
    expect(stdout).toMatch(/seed +7\n/)
    expect(stdout).toMatch(/clock +frozen, now 2026-01-05T09:00:00\.000Z\n/)
    expect(curl).toBe(
      `curl -H 'Authorization: Bearer test-key' '${url}/api/v1/mail/threads?agent=support&limit=5'`,
    )
    expect(stdout.endsWith('\nStopped.\n')).toBe(true)
    expect(stdout).not.toContain('\x1b')
  })
})

it('warns if any web page can read the mail', async () => {
  const program = start('--port', '0', '--json', '--assume', 'format.cors=permissive')
  await readyOf(program)
  program.process.kill('SIGINT')
  expect((await program.outcome).stderr).toBe(
    'warning: format.cors is permissive (--assume): any web page open on this machine can read the mail.\n',
  )
})

describe('serve --json', () => {
  it('writes only JSON, beginning with ready', async () => {
    const program = start('serve', 'support-desk', '--port', '0', '--json', '--seed', '12', '--verbose')
    const ready = await readyOf(program)
    const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(ready).toEqual({
      event: 'ready',
      url,
      control: `${ready.url}/_sim`,
      scenario: 'support-desk',
      seed: 12,
      pid: program.process.pid,
      start: expect.stringMatching(/^\d{4}-.*\.000Z$/),
    })
    expect(Object.keys(ready)).toEqual(['event', 'url', 'control', 'scenario', 'seed', 'pid', 'start'])
    expect((await fetch(`${ready.control}/journal?limit=1`)).status).toBe(200)
    program.process.kill('SIGTERM')
    const { status, stdout, stderr } = await program.outcome
    expect(status).toBe(0)
    expect(stdout.trimEnd().split('\n').slice(1)).toEqual(['{"event":"stopped","interrupted":0}'])
    expect(stderr).toMatch(/^GET \/_sim\/journal\?limit=1 200 \d+\.\d ms\n$/)
  })

  it('applies its flags', async () => {
    const flags = ['--assume=worst-case', '--assume=threads.total=all-matches', '--seed', '8']
    const [plain, told] = await Promise.all([
      readyOf(start('--json', '--port', '0', '--start', 'scenario')),
      readyOf(start('--json', '--port=0', '--start', 'scenario', ...flags, '--control-token', 'sesame')),
    ])
    expect(told.seed).toBe(8)
    const [usual, changed] = [await threads(plain.url), await threads(told.url)]
    expect(changed).toMatchObject({ total: 242 })
    expect(changed).not.toEqual(usual)
    expect((await fetch(`${told.control}/clock`)).status).toBe(403)
  })

  it('starts the story now and again with the reported start', async () => {
    const first = await readyOf(start('--json', '--port', '0'))
    const again = ['--start', first.start]
    const [second, own] = await Promise.all([
      readyOf(start('--json', '--port', '0', ...again)),
      readyOf(start('--json', '--port', '0', '--start', 'scenario')),
    ])
    expect(own.start).toBe('2026-01-05T09:00:00.000Z')
    expect(Date.parse(first.start)).toBeGreaterThan(Date.now() - 3_600_000)
    expect(await threads(second.url)).toEqual(await threads(first.url))
    expect(await threads(own.url)).not.toEqual(await threads(first.url))
  })
})

describe('the end of serve', () => {
  it('answers received requests at SIGTERM', async () => {
    const program = start('--json', '--port', '0', '--clock', 'frozen')
    const { url, control } = await readyOf(program)
    const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
    const fault = JSON.stringify({ operation: 'webhooks.list', delay: '5m' })
    expect((await fetch(`${control}/faults`, { method: 'POST', headers, body: fault })).status).toBe(201)
    const [slow, other] = [await openSocket(url), await openSocket(url)]
    const answers = [slow, other].map(readAnswers)
    slow.write(requestText('GET /api/v1/webhooks', { ...headers, connection: 'keep-alive' }))
    while ((await ask({ controlUrl: control }, 'GET', '/faults')).body.faults[0].hit === 0);
    program.process.kill('SIGTERM')
    const advance = '{"advance":"5m"}'
    other.write(
      requestText('POST /_sim/clock', { ...headers, 'content-length': `${advance.length}` }, advance),
    )
    expect((await Promise.all(answers)).map(([answer]) => answer?.status)).toEqual([200, 200])
    expect(await program.outcome).toMatchObject({ status: 0, stderr: '' })
  })

  it('survives the end of the reader of its output', async () => {
    const program = start('--json', '--port', '0')
    const { control } = await readyOf(program)
    program.process.stdout?.destroy()
    expect((await fetch(`${control}/health`)).status).toBe(200)
    program.process.kill('SIGTERM')
    expect(await program.outcome).toMatchObject({ status: 0, stderr: '' })
  })
})

describe('serve that cannot start', () => {
  it('names the used port and exits with status 1', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const { status, stdout, stderr } = await start('--port', String(port)).outcome
    other.close()
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe(
      `error: Port ${port} is taken; stop what uses it, or choose another with --port, in code with port (0 picks a free one).\n`,
    )
  })

  it('names the trace that cannot be written and exits with status 2', async () => {
    const folder = built.folder
    const { status, stdout, stderr } = await start.with({ MAILBOX_SIM_TRACE: folder })('--port', '0').outcome
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toBe(
      `error: The trace (MAILBOX_SIM_TRACE) cannot be written: EISDIR: illegal operation on a directory, open '${folder}'.\n`,
    )
  })
})

describe('the process of serve', () => {
  it.each([
    ['npx', { npm_command: 'exec' }],
    ['npm start', { npm_command: 'start', npm_lifecycle_event: 'start' }],
  ])('ends when the %s that started it is killed', async (_, variables) => {
    const npx = spawn('sh', ['-c', `"${process.execPath}" "${built.main}" --port 0 --json & wait`], {
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [first] = await once(npx.stdout.setEncoding('utf8'), 'data')
    const ended = once(npx.stdout, 'close')
    npx.kill('SIGKILL')
    await ended
    await expect(fetch(JSON.parse(first).control)).rejects.toThrow('fetch failed')
  })

  it('refuses an old version of Node in one line', async () => {
    const old = 'data:text/javascript,Object.defineProperty(process,"version",{value:"v18.20.1"})'
    const running = promisify(execFile)(process.execPath, ['--import', old, built.main, '--help'])
    await expect(running).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'error: Node 20.19 or later is required; this is Node 18.20.1.\n',
    })
  })
})
