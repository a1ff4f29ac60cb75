import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { built } from './cli/built-program.js'
import { folderOf } from './support/temporary-folder.js'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

/** Runs the program as an unprivileged user in a read-only folder; returns its first output. */
async function serveAsNobody(words: readonly string[]) {
  const cwd = await folderOf()
  chmodSync(cwd, 0o555)
  const user = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(process.execPath, [built.main, ...words, '--port', '0', '--json'], {
    cwd,
    env: {},
    ...user,
  })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { child, url: `http://127.0.0.1:${new URL(JSON.parse(line).url).port}` }
}

describe('the container', () => {
  it.each([
    ['Dockerfile', JSON.parse(/^CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '[]')],
    ['compose.yaml', parse(read('compose.yaml')).services.mailbox.command],
  ])(
    'of %s runs as nobody without writing, tells its health without a token, ends by SIGTERM',
    async (_, words) => {
      expect(words[0]).toBe('serve')
      const { child, url } = await serveAsNobody(words)
      expect((await fetch(`${url}/_sim/health`)).status).toBe(200)
      expect((await fetch(`${url}/_sim/world`)).status).toBe(403)
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
    },
  )

  it('uses the health check of the program', async () => {
    const check = JSON.parse(/^ +CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '[]') as string[]
    const { child, url } = await serveAsNobody(['serve', 'empty'])
    const script = (check[2] ?? '').replace('http://127.0.0.1:4280', url)
    const statusOf = async () => (await once(spawn(process.execPath, ['-e', script]), 'exit'))[0]
    expect(await statusOf()).toBe(0)
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(await statusOf()).toBe(1)
  })

  it('has an action whose steps refer to existing commands and files', () => {
    const { runs, inputs } = parse(read('action.yml'))
    const used = [...read('action.yml').matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name)
    expect(new Set(used)).toEqual(new Set(Object.keys(inputs)))
    expect(runs.using).toBe('composite')
    for (const step of runs.steps.filter((one: object) => 'run' in one)) expect(step.shell).toBe('bash')
  })

  it('has an action that fails with its story and writes the job summary and the uploaded files', async () => {
    const cwd = await folderOf()
    const { runs, inputs } = parse(read('action.yml'))
    const { run } = runs.steps.find(({ name }: { name?: string }) => name === 'Run it')
    const RESULTS = inputs.results.default
    const node = `"${process.execPath}"`
    const env = {
      PATH: process.env['PATH'],
      GITHUB_ACTION_PATH: fileURLToPath(new URL('..', import.meta.url)),
      GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
      COMMAND: `replay empty -- ${node} -e 'fetch(process.env.MAILBOX_BASE_URL)'`,
      RESULTS,
    }
    const statusWith = (trials: string, require: string, more: object = {}) => {
      const variables = { ...env, TRIALS: trials, REQUIRE: require, BASELINE: '', ...more }
      return spawnSync('bash', ['-e', '-u', '-o', 'pipefail', '-c', run], { cwd, env: variables }).status
    }
    // The agent asks for nothing that the story wants.
    expect(statusWith(inputs.trials.default, inputs.require.default)).toBe(1)
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toContain('empty failed: 3 of 5 expectations')
    expect(statusWith('2', '0')).toBe(0)
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toContain('empty passed: 0 of 2 trials passed')
    const files = () => readdirSync(join(cwd, RESULTS))
    expect(files()).toEqual(expect.arrayContaining(['report.json', 'reliances.jsonl']))
    expect(statusWith('2', '0', { RESULTS: 'later/', BASELINE: RESULTS })).toBe(0)
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toContain('0 of 2 → 0 of 2')
    expect(statusWith('1', 'all', { COMMAND: `compare ${RESULTS} later/` })).toBe(0)
    expect(files()).toContain('compare.md')
    expect(statusWith('1', 'all', { COMMAND: 'scenarios check empty' })).toBe(0)
  })
})
