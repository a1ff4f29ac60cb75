import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { uniqueMark } from '../../src/service/time/wall-time.js'
import { built } from '../cli/built-program.js'
import { findError, useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { freePort } from './agent-scripts.js'
import { processesWith } from './no-process-left.js'

const program = useProgram()

/** Starts the program with a mark on all its processes; returns it with a function that lists them. */
function startMarked(...args: readonly string[]) {
  const mark = uniqueMark()
  const running = program.with({ PROCESSES_TEST: mark, CI: 'true' })(...args)
  const others = () => {
    return processesWith(`PROCESSES_TEST=${mark}`).filter((id) => id !== running.process.pid)
  }
  return { running, others }
}

describe('check, interrupted', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('reports by %s what was tried until then', async (signal, expected) => {
    const path = await useFolder()
    await writeFile(
      path('client.mjs'),
      `const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env
       const headers = { authorization: 'Bearer ' + key }
       const response = await fetch(base + '/api/v1/mail/threads?agent=desk', { headers })
       await response.text()
       if (response.status === 429) for (;;);`,
    )
    const command = ['--', process.execPath, path('client.mjs')]
    await writeFile(path('desk.json'), JSON.stringify({ scenario: 'desk', identities: [{ handle: 'desk' }] }))
    const { running, others } = startMarked('check', path('desk.json'), '--only', 'faults/*', ...command)
    await findError(running, /^faults\/threads\.list\/1\/503: /m)
    running.process.kill(signal)
    const { status, stdout } = await running.outcome
    expect(status).toBe(expected)
    expect(stdout).toMatch(/^✗ desk .*, as far as was tried before the interruption$/m)
    expect(others()).toEqual([])
  })
})

describe.runIf(process.platform === 'linux')('a full disk', () => {
  it.each([
    ['openapi'],
    ['replay', 'empty', '--reporter', 'json'],
    ['serve', 'empty', '--port', '0'],
    ['--help'],
  ])('ends %s %s with status 1 and one line', async (...args) => {
    const { main } = built
    const words = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ')
    const child = spawn('sh', ['-c', `${words} > /dev/full`], { stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr?.on('data', (text) => {
      stderr += text
    })
    const [status] = await once(child, 'close')
    expect(status).toBe(1)
    expect(stderr.split('\n').filter((line) => /error|^ +at /.test(line))).toEqual([
      'error: The output cannot be written: ENOSPC: no space left on device, write.',
    ])
  })

  it('ends replay with status 1 if the report cannot be written to a file', async () => {
    const { status, stderr } = await program('replay', 'empty', '--reporter', 'human', '--out', '/dev/full')
      .outcome
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^error: --out \/dev\/full: ENOSPC: no space left on device, write\.$/m),
    })
  })
})

describe('secrets that a command prints', () => {
  it('are masked in reports and on the screen', async () => {
    const path = await useFolder()
    const port = await freePort()
    const [key, token] = ['sk_live_51Hq8c2eZvKY', 'sub-token-Zq81']
    const [late, parameter] = ['late-token-Xw27', 'url-key-Pp90']
    const webhook = { url: `http://127.0.0.1:${port}/?token=${parameter}`, events: ['message.received'] }
    const scenario = {
      scenario: 'secrets',
      organization: { api_keys: [key] },
      identities: [{ handle: 'support' }],
      webhooks: [{ ...webhook, auth_token: token }],
      expect: [{ request: 'threads.list', where: { query: { agent: 'support' } } }],
    }
    await writeFile(path('story.json'), JSON.stringify(scenario))
    await writeFile(
      path('agent.mjs'),
      `const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key, MAILBOX_SIM_URL: sim } = process.env
       const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
       const body = JSON.stringify({ url: 'http://127.0.0.1:1/', events: ['message.received'], auth_token: '${late}' })
       await fetch(sim + '/webhooks', { method: 'POST', headers, body })
       await (await fetch(base + '/api/v1/mail/threads?api_key=' + key + '&x=${token}', { headers })).text()
       console.log(process.argv[3], 'with', key, '${token}', '${late}', '${parameter}')
       throw new Error(JSON.stringify({ auth_token: '${late}', url: '${webhook.url}' }))`,
    )
    const given = ['--api-key', 'given-key-Rr55', `--note=${token}`, key]
    const command = [process.execPath, path('agent.mjs'), ...given]
    const allowed = ['--agent-controls', 'all']
    const out = ['--out', `${path('results')}/`, ...allowed]
    const replayed = await program('replay', path('story.json'), ...out, '--verbose', '--', ...command)
      .outcome
    const found = ['--out', `${path('found')}/`, '--reporter', 'json', ...allowed]
    const checked = await program('check', path('story.json'), ...found, '--', ...command).outcome
    const names = ['report.json', 'report.xml', 'reliances.jsonl']
    const texts = await Promise.all(names.map((name) => readFile(path(`results/${name}`), 'utf8')))
    const all = [replayed, checked].flatMap(({ stdout, stderr }) => [stdout, stderr]).concat(texts)
    expect(replayed.stderr).toContain('with *** *** ***')
    for (const secret of [key, token, late, parameter, 'given-key-Rr55']) {
      expect(all.filter((text) => text.includes(secret))).toEqual([])
    }
  })
})
