import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { programInProcess } from '../cli/in-process.js'
import { findError, findLine, type RunningProgram, useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { scripts, useAgents } from './agent-scripts.js'
import { expectNoProcessLeft } from './no-process-left.js'
import { reportSchema } from './report-schema.js'
import { story } from './story.js'

const program = useProgram()
const inProcess = programInProcess()
const { variables } = expectNoProcessLeft()

/** Returns functions that replay a short story with flags and an agent: `start` as a process, `run` within this one. */
async function useReplay(more: Parameters<typeof story>[0] = {}) {
  const path = await useFolder()
  const agents = await useAgents()
  const file = path('story.json')
  await writeFile(file, JSON.stringify(story(more)))
  const start = (flags: readonly string[], command: readonly string[] = [], env = {}): RunningProgram => {
    const words = command.length === 0 ? [] : ['--', ...command]
    return program.with({ ...variables(), CI: 'true', ...env })('replay', file, ...flags, ...words)
  }
  const run = async (flags: readonly string[], command: string | readonly string[] = [], env = {}) => {
    const agent = typeof command === 'string' ? await agents(command) : command
    const words = agent.length === 0 ? [] : ['--', ...agent]
    return inProcess.with(env)('replay', file, ...flags, ...words).outcome
  }
  return { path, file, agents, start, run }
}

const frozen = ['--clock', 'frozen']

describe('replay', () => {
  it('shows its progress beside the report on its output, and writes the files and the summary of a CI job', async () => {
    const { start, agents, path } = await useReplay()
    await writeFile(path('summary.md'), 'before\n')
    const env = { GITHUB_STEP_SUMMARY: path('summary.md') }
    const agent = await agents(`console.log('here I am');${scripts.diligent}`)
    const { status, stdout, stderr } = await start([...frozen, '--out', `${path('results')}/`], agent, env)
      .outcome
    expect(stdout).toMatch(
      /^✓ question passed: all 2 expectations hold\n\n✓ The agent shows that it is busy\.\n/,
    )
    expect(stdout).not.toContain('\x1b')
    expect(stderr).toMatch(
      /^question: 1 timeline entry, 40s of story; service at http:\/\/127\.0\.0\.1:\d+\n/,
    )
    expect(stderr).toContain('\nhere I am\n')
    expect(stderr).toContain('\n   10s  again\n')
    expect(stderr).not.toContain('GET ')
    expect(status).toBe(0)
    expect(await readFile(path('summary.md'), 'utf8')).toMatch(/^before\n### ✅ question passed/)
    expect((await readdir(path('results'))).toSorted()).toEqual([
      'log.jsonl',
      'reliances.jsonl',
      'report.html',
      'report.json',
      'report.xml',
      'results.json',
      'story.yaml',
    ])
    const read = (name: string): Promise<string> => readFile(path('results', name), 'utf8')
    expect(await read('report.html')).not.toContain('test-key')
    const reliances = (await read('reliances.jsonl')).trim().split('\n')
    expect(reliances.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ gap: 'format.timestamps', operation: 'threads.list' }),
    )
    const report = JSON.parse(await read('report.json'))
    expect(reportSchema.safeParse(report).error).toBeUndefined()
    expect(report).toMatchObject({ passed: true, requests: 3 })
  })

  it('writes several files by their endings, annotates what failed, and prints the output of the agent once', async () => {
    const { start, agents, path, file } = await useReplay({ describe: '100 %: a, b' })
    const agent = await agents(
      `console.error('here I am'); await ask('/mail/threads?agent=support'); process.exit(3)`,
    )
    const [json, xml] = [path('one.json'), path('two.xml')]
    await symlink('/dev/full', path('full.txt'))
    const flags = [...frozen, '--out', json, '--out', xml, '--out', path('full.txt')]
    const { status, stdout, stderr } = await start(flags, agent, { GITHUB_ACTIONS: 'true' }).outcome
    expect(stdout).toMatch(/^✗ question failed: /)
    expect(`${stdout}${stderr}`.match(/^here I am$/gm)).toHaveLength(1)
    expect(JSON.parse(await readFile(json, 'utf8')).passed).toBe(false)
    expect(await readFile(xml, 'utf8')).toContain('<testsuites>')
    const place = `file=${file.replaceAll(':', '%3A')},line=1,title=question failed%3A 1 of 2 expectations`
    expect(stderr).toContain(`\n::error ${place}`)
    expect(stderr).toContain('::The agent shows that it is busy.%0Aexpected  identity')
    // The complaint comes last, and does not decide.
    expect(stderr).toMatch(/error: --out .*full\.txt: ENOSPC.*\n$/)
    expect(status).toBe(1)
    const github = await start([...frozen, '--reporter', 'github', '--out', json], agent).outcome
    expect(github.stdout).toMatch(/^::error file=.*\n::error title=.*\n$/)
    expect(JSON.parse(await readFile(json, 'utf8')).passed).toBe(false)
  })

  it('gives the command the control API with the token that it needs', async () => {
    const { run } = await useReplay({ expect: [] })
    const script = `const { MAILBOX_SIM_URL: url, MAILBOX_SIM_TOKEN: token, MINE: mine } = process.env
      const authorization = 'Bearer ' + token
      const { status } = await fetch(url + '/webhooks', { headers: token ? { authorization } : {} })
      console.log('status', status, token === undefined ? 'none' : mine === token, 'token', token)`
    const own = ['--env', 'MINE={control_token}', ...frozen]
    for (const [flags, expected] of [
      [['--host', '0.0.0.0'], 'status 200 true token ***'],
      [[], 'status 200 none token undefined'],
    ] as const) {
      const { status, stderr } = await run([...flags, ...own], script, {
        MAILBOX_SIM_TOKEN: 'of-another-server',
      })
      expect(stderr).toContain(`\n${expected}\n`)
      // It asks the control API only.
      expect(status).toBe(2)
    }
  })

  it('keeps what judges the agent out of its reach, and says what it tried', async () => {
    const { run } = await useReplay()
    const script = `const { MAILBOX_SIM_URL: url, MAILBOX_SIM_TOKEN: token, MAILBOX_BASE_URL: service } = process.env
      const own = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
      await fetch(service + '/api/v1/webhooks', { headers: { authorization: 'Bearer ' + process.env.MAILBOX_API_KEY } })
      const tries = [['POST', '/reset'], ['DELETE', '/journal'], ['POST', '/worlds'], ['PUT', '/snapshot', '{}']]
      const statuses = []
      for (const [method, path, body] of tries) statuses.push((await fetch(url + path, { method, headers: own, body })).status)
      console.log('statuses ' + statuses)`
    for (const [flags, statuses] of [
      [[], '403,403,403,403'],
      [['--agent-controls', 'all'], '200,204,201,400'],
    ] as const) {
      const { stdout, stderr, status } = await run([...frozen, ...flags, '--reporter', 'json'], script)
      expect(stderr).toContain(`\nstatuses ${statuses}\n`)
      expect(status).toBe(1)
      const refused = 'POST /_sim/reset, DELETE /_sim/journal, POST /_sim/worlds, PUT /_sim/snapshot'
      const { command, requests } = JSON.parse(stdout)
      expect(command.notes.join().includes(`what it is judged by: ${refused}`)).toBe(
        statuses.startsWith('403'),
      )
      expect(requests).toBe(1)
    }
  })

  it('lists requests on demand', async () => {
    const { run } = await useReplay()
    const { stderr } = await run([...frozen, '--verbose'], scripts.diligent)
    expect(stderr).toContain('\n    0s  GET /api/v1/mail/threads?agent=support 200\n')
  })

  it('distinguishes its flags from those of the command', async () => {
    const { run } = await useReplay({ expect: [] })
    const command = ['sh', '-c', 'echo "$0 $@" >&2', '--clock', 'nonsense', '--', '-x']
    const { status, stderr } = await run([...frozen, '--seed', '8'], command)
    expect(stderr).toContain('\n--clock nonsense -- -x\n')
    // The command asks for nothing.
    expect(status).toBe(2)
  })

  it('writes to a file in the format of its extension, or in another, besides the output for people', async () => {
    const { run, path } = await useReplay({ expect: [] })
    const { stdout } = await run(['--seed', '8', '--out', path('results/report.json')])
    expect(stdout).toMatch(/^✓ question passed/)
    expect(JSON.parse(await readFile(path('results/report.json'), 'utf8'))).toMatchObject({ seed: 8 })
    const junit = await run(['--reporter', 'junit', '--out', path('report.txt')])
    expect([junit.status, await readFile(path('report.txt'), 'utf8')]).toEqual([
      0,
      expect.stringMatching(/^<\?xml/),
    ])
  })
})

describe('the end of replay', () => {
  it('ends its command at SIGHUP', async () => {
    const { start } = await useReplay()
    const script = 'sleep 1000 & echo "child up"; wait'
    const running = start(['--clock', 'real'], ['sh', '-c', script])
    await findError(running, /child up/)
    running.process.kill('SIGHUP')
    const { status, stdout, stderr } = await running.outcome
    expect(stdout).toMatch(
      /^✗ question was interrupted \d+(?:ms|s) into the story, while the agent was busy: sleep, .*; failed so far: 2 of 2 expect(?:ations|[a-z]*…)\n/,
    )
    expect(stdout).toMatch(/^✓ sh -c .* ran until the replay was interrupted$/m)
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.not.stringContaining('error') })
  })

  it('ends all commands of trials at SIGINT, and reports what was judged', async () => {
    const { start } = await useReplay({ expect: [{ request: 'threads.list' }] })
    const script = `
      curl -s -H "authorization: Bearer $MAILBOX_API_KEY" "$MAILBOX_BASE_URL/api/v1/mail/threads" > /dev/null
      test $MAILBOX_TRIAL = 1 && exit
      sleep 1000 & echo "child of $MAILBOX_TRIAL up"; wait`
    const trials = ['--trials', '9', '--jobs', '2', '--clock', 'real']
    const running = start(trials, ['sh', '-c', script])
    await Promise.all([findError(running, /child of 2 up/), findError(running, /child of 3 up/)])
    running.process.kill('SIGINT')
    const { status, stdout } = await running.outcome
    expect(stdout).toMatch(/^✗ question was interrupted: 1 of 1 judged trials passed\n/)
    expect(stdout).toMatch(
      /^note: 2 trials could not be judged: trial 2: interrupted, trial 3: interrupted$/m,
    )
    expect(stdout).toContain('note: 6 trials not played, since the trials were interrupted\n')
    expect(status).toBe(1)
  })

  it('kills an unresponsive command at the second signal', async () => {
    const { start } = await useReplay()
    const script = "trap 'echo heard' TERM; echo up; while :; do sleep 0.05; done"
    const running = start(['--clock', 'real'], ['sh', '-c', script])
    const heard = findError(running, /heard/)
    await findError(running, /up/)
    running.process.kill('SIGINT')
    await heard
    running.process.kill('SIGINT')
    expect(await running.outcome).toMatchObject({ status: 1 })
  })

  it('keeps the server running on demand, after the report', async () => {
    const { start, agents } = await useReplay()
    const running = start([...frozen, '--keep'], await agents(scripts.diligent))
    const kept = findError(running, /still running at \S+ \(control (\S+)\)/)
    await findLine(running, /^✓ question passed/)
    const [, control = ''] = await kept
    const answer = await fetch(`${control}/journal`)
    expect((await answer.json()).exchanges).toHaveLength(3)
    running.process.kill('SIGINT')
    expect(await running.outcome).toMatchObject({ status: 0 })
  })
})
