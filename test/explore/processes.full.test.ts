import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import type { ExploreReport } from '../../src/runs/explore/report.js'
import { built } from '../cli/built-program.js'
import { programInProcess } from '../cli/in-process.js'
import { useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { client, exploredJson, outcomesOf, stillRunning } from './exploring.js'

const start = programInProcess()

// Starting a client ten times is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

/** Processes start slowly on a busy machine. */
const patience = { timeout: 50_000, interval: 50 }

describe('explore', () => {
  it('ends a run that takes too long with all its processes', async () => {
    const path = await useFolder()
    await writeFile(path('pids'), '')
    const run = start.with({ PIDS: path('pids') })
    const args = ['--gaps', 'threads.total', '--time-limit', '5s', ...client('endless')]
    const { status, report } = await exploredJson(run, ...args)
    expect(status).toBe(1)
    expect(outcomesOf(report)).toContain('threads.total=page-size failed')
    expect(report.breaks[0]).toMatchObject({
      changes: { 'threads.total': 'page-size' },
      why: 'had not ended after 5 s',
    })
    const ids = await readFile(path('pids'), 'utf8')
    expect(ids.trim().split('\n').length).toBe(2 * report.runs)
    expect(stillRunning(ids)).toEqual([])
  })

  it('lets real time pass for a client that simulates a mailbox of its own', async () => {
    const run = start.with({ PACKAGE: packageEntry() })
    const args = ['--gaps', 'threads.total', ...client('in-process-time')]
    const { status } = await run('explore', ...args).outcome
    expect(status).toBe(0)
  })

  it('ends every run at SIGTERM, and leaves nothing behind', async () => {
    const path = await useFolder()
    await writeFile(path('pids'), '')
    const run = useProgram().with({ PIDS: path('pids'), ENDLESS: 'yes', TMPDIR: path() })
    const program = run('explore', ...client('endless'))
    const ids = () => readFile(path('pids'), 'utf8')
    await vi.waitFor(async () => expect(stillRunning(await ids())).toHaveLength(2), patience)
    program.process.kill('SIGTERM')
    const { status, stdout, stderr } = await program.outcome
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: Interrupted in the first run, after \d+ requests?.*; nothing was explored\.(?: It last said: waiting for the rest)?\n$/,
      ),
    })
    expect(stillRunning(await ids())).toEqual([])
    expect((await readdir(path())).filter((name) => name.includes('explore'))).toEqual([])
  })

  it('does not call a client broken that waits for a limit as it is told', async () => {
    const args = ['--gaps', 'limits.rate', ...client('waits')]
    const { status, report } = await exploredJson(start, ...args)
    expect(outcomesOf(report)).toEqual(['limits.rate=60-per-minute passed'])
    expect(status).toBe(0)
  })

  it('follows simulators in processes of the command', async () => {
    const run = start.with({ PACKAGE: packageEntry() })
    const { status, report } = await exploredJson(
      run,
      '--gaps',
      'threads.total,threads.snippet',
      ...client('in-process'),
    )
    expect(status).toBe(1)
    expect(report.requests).toBe(0)
    expect(report.relied.map(({ gap }) => gap)).toContain('threads.total')
    expect(report.breaks).toMatchObject([
      {
        changes: { 'threads.total': 'page-size' },
        why: 'Error: expected the desk to have more than 10 threads',
      },
    ])
  })

  it('reports a simulator that chose its own assumptions', async () => {
    const run = start.with({ PACKAGE: packageEntry(), OWN_ASSUMPTIONS: 'threads.total=all-matches' })
    const path = await useFolder()
    const out = ['--reporter', 'json', '--out', path('report.json')]
    const { status, stdout } = await run(
      'explore',
      '--gaps',
      'threads.total',
      ...out,
      ...client('in-process'),
    ).outcome
    const report: ExploreReport = JSON.parse(await readFile(path('report.json'), 'utf8'))
    expect({ status, tries: report.tries }).toEqual({ status: 0, tries: [] })
    expect(report.relied.filter(({ fixed }) => fixed)).toMatchObject([
      { gap: 'threads.total', assumptions: ['all-matches'], instead: [] },
    ])
    expect(stdout).toMatch(/^\d runs against simulators in its own processes, in /m)
    expect(stdout).toMatch(
      /^The command itself chooses the assumptions of threads\.total, so no other could be tested\./m,
    )
  })

  it('overrides assumptions of the environment and flags and reports them', async () => {
    const run = start.with({ PACKAGE: packageEntry(), MAILBOX_SIM_ASSUME: 'threads.snippet=first' })
    const args = ['--assume', 'threads.total=all-threads', '--gaps', 'threads.total,threads.snippet']
    const { report } = await exploredJson(run, ...args, ...client('in-process'))
    expect(report.assumptions).toEqual({ 'threads.total': 'all-threads', 'threads.snippet': 'first' })
    expect(outcomesOf(report)).toEqual([
      'threads.total=all-matches passed',
      'threads.total=page-size failed',
      'threads.snippet=latest passed',
    ])
  })
})

describe('a trace of many processes', () => {
  it('has only whole lines', async () => {
    const path = await useFolder()
    const file = path('trace.jsonl')
    const env = { ...process.env, PACKAGE: packageEntry(), MAILBOX_SIM_TRACE: file }
    const [, program = '', script = ''] = client('many')
    await Promise.all(Array.from({ length: 4 }, () => promisify(execFile)(program, [script], { env })))
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({
        gap: expect.any(String),
        from: 'default',
        instead: expect.any(Array),
      })
    expect(lines.length).toBeGreaterThan(4 * 20)
  })
})

/** Where the clients find the built package. */
function packageEntry(): string {
  return pathToFileURL(`${built.folder}/dist/doors/interceptor/node.js`).href
}
