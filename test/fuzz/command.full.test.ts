import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { type FuzzReport, fuzzReport } from '../../src/runs/fuzz/report.js'
import { formatReport } from '../../src/runs/reports/format-report.js'
import { programInProcess } from '../cli/in-process.js'
import { useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { freePort } from '../state/programs.js'
import { expectShown } from '../support/shown-output.js'
import { writeDesk } from './corpus.js'

const start = useProgram()

// Starting a client dozens of times is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

/** Reads all threads: with `--careful` until a page is not full, otherwise until `total` is reached. */
const agent = `
import { appendFileSync } from 'node:fs'
const { MAILBOX_BASE_URL: url, MAILBOX_API_KEY: key, PIDS: pids } = process.env
if (pids) appendFileSync(pids, process.pid + '\\n')
const get = async (path) => (await fetch(url + '/api/v1' + path, { headers: { authorization: 'Bearer ' + key } })).json()
const seen = new Set()
for (let offset = 0; ; offset += 10) {
  const { threads, total } = await get('/mail/threads?agent=support&limit=10&offset=' + offset)
  for (const { id } of threads) seen.add(id)
  if (process.argv.includes('--careful') ? threads.length < 10 : seen.size >= total) break
}
for (const id of seen) await get('/mail/messages?limit=10&thread_id=' + id)
`

async function open() {
  const folder = await useFolder()
  const script = folder('agent.mjs')
  await writeFile(script, agent)
  const desk = await writeDesk(folder)
  const flags = ['--vary', 'assumptions', '--out', folder('found')]
  return { folder, script, desk, flags, pids: folder('pids') }
}

/** The ids of processes that a file lists and that still run. */
async function running(pids: string): Promise<number[]> {
  const all = (await readFile(pids, 'utf8')).trim().split('\n').map(Number)
  return all.filter((pid) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  })
}

describe('fuzz', () => {
  it('finds what breaks a command and writes a file for replay', async () => {
    const { script, desk, flags } = await open()
    const args = ['fuzz', desk, ...flags, '--runs', '10', '--seed', '4', '--reporter', 'json']
    const { status, stdout, stderr } = await start(...args, '--', 'node', script).outcome
    const report = JSON.parse(stdout) as FuzzReport
    expect(report).toMatchObject({ format: 'agent-mailbox-sim/fuzz-report', version: 1, seed: 4, runs: 10 })
    expect({ status, found: report.findings.length }, stderr).toEqual({ status: 1, found: 1 })
    const [finding] = report.findings
    expect(finding).toMatchObject({
      elements: [{ vary: 'assumptions', gap: 'threads.total', assumption: 'page-size' }],
      judged_by: 'expectation',
      steady: true,
    })
    expectShown('docs/fuzz.md', '✗ node agent.mjs', formatReport('human', fuzzReport(report)))
    const file = String(finding?.file)
    const replayed = await start('replay', file, '--', 'node', script).outcome
    expect(replayed.status, replayed.stdout).toBe(1)
    const careful = await start('replay', file, '--', 'node', script, '--careful').outcome
    expect(careful.status, careful.stdout).toBe(0)
  })

  it('reports what it found after Ctrl-C and leaves no processes', async () => {
    const { script, desk, flags, pids } = await open()
    const command = ['node', script]
    const program = start.with({ PIDS: pids })('fuzz', desk, ...flags, '--runs', '100000', '--', ...command)
    let errors = ''
    program.process.stderr?.on('data', (chunk) => {
      errors += chunk
    })
    await vi.waitUntil(() => errors.includes('found: '), { timeout: 200_000 })
    program.process.kill('SIGINT')
    const { status, stdout } = await program.outcome
    const headline = 'breaks in 1 way, as far as was tried before the interruption'
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining(headline) })
    expect(await running(pids)).toEqual([])
  })

  it.each([
    ['without a command', (desk: string) => [desk], 'fuzz needs a command to run, after --'],
    ['of a client that asks for nothing', (desk: string) => [desk, '--', 'true'], 'no request came'],
  ])('exits with status 2 %s', async (_, args, problem) => {
    const { desk } = await open()
    const { status, stderr } = await programInProcess()('fuzz', ...args(desk)).outcome
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(problem) })
  })

  it('says what became of the deliveries to a client that asks for nothing', async () => {
    const folder = await useFolder()
    const [story, script] = [folder('story.yaml'), folder('agent.mjs')]
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/hook`
    await writeFile(
      story,
      `
scenario: refused-events
identities: [{ handle: support }]
webhooks: [{ url: "${url}", events: [message.received] }]
timeline: [{ after: 1s, receive: { to: support, thread: t, from: ann@example.com, subject: Hours } }]
`,
    )
    const receiver = "createServer((_, response) => response.writeHead(401).end('no such signature'))"
    await writeFile(script, `import { createServer } from 'node:http'\n${receiver}.listen(${port})`)
    const { status, stderr } = await programInProcess()('fuzz', story, '--', 'node', script).outcome
    const why = `sent no request: the delivery of message.received to ${url} got 401 "no such signature".`
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(why) })
  })
})
