import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TrialsReport } from '../../src/runs/trials/trials.js'
import { playTrials, type TrialsOptions } from '../../src/runs/trials/trials.js'
import { freePort, scripts, useAgents } from './agent-scripts.js'
import { expectNoProcessLeft } from './no-process-left.js'
import { trialsSchema } from './report-schema.js'
import { story } from './story.js'

expectNoProcessLeft()

/** Plays trials of a short story against a command, with a frozen clock; the report has the documented format. */
async function play(options: Partial<TrialsOptions> & Pick<TrialsOptions, 'command'>): Promise<TrialsReport> {
  const { report } = await playTrials({ scenario: story(), clock: 'frozen', trials: 3, ...options })
  expect(trialsSchema.safeParse(JSON.parse(JSON.stringify(report))).error).toBeUndefined()
  return report
}

describe('trials', () => {
  it('begin in a fresh world, which is the same for each', async () => {
    const agents = await useAgents()
    const script = `
      const { threads } = await ask('/mail/threads?agent=support')
      const { display_name } = await ask('/identities/support')
      console.log(threads[0].id, display_name)
      await ask('/identities/support', { display_name: 'Busy' })
    `
    const written: string[] = []
    const report = await play({
      command: await agents(script),
      jobs: 2,
      watcher: { of: () => ({ wrote: (lines) => void written.push(...lines) }) },
    })
    expect(written).toHaveLength(3)
    expect(new Set(written).size).toBe(1)
    expect(written[0]).toMatch(/^thr\w+ Support$/)
    expect(report).toMatchObject({ passed: true, trials: { judged: 3, passed: 3, pass_k: [1, 1, 1] } })
    expect(new Set(report.runs.map(({ digest }) => digest)).size).toBe(1)
    expect(report.runs.map(({ trial, seed }) => [trial, seed])).toEqual([1, 2, 3].map((trial) => [trial, 1]))
  })

  it('stop on demand once the requirement can no longer be met', async () => {
    const agents = await useAgents()
    const command = await agents(
      'await ask("/mail/threads"); if (Number(process.env.MAILBOX_TRIAL) >= 3) process.exit(1)',
    )
    const options = { command, scenario: story({ expect: [] }), bail: true }
    const report = await play({ ...options, trials: 10, require: 0.8 })
    // After five trials, seven of ten could pass at most.
    expect(report.trials).toMatchObject({ count: 10, judged: 5, passed: 2, first_failed: 3 })
    expect(report).toMatchObject({ passed: false, interrupted: false })
    const met = await play({ ...options, trials: 3, require: 0.6 })
    expect(met).toMatchObject({ passed: true, trials: { judged: 3, passed: 2 } })
  })

  it('count those apart that say nothing about the agent', async () => {
    const agents = await useAgents()
    const idle = await agents('if (process.env.MAILBOX_TRIAL !== "2") await ask("/mail/threads")')
    const report = await play({ command: idle, scenario: story({ expect: [] }) })
    expect(report.runs.map(({ not_judged }) => not_judged)).toEqual([null, 'nothing-checked', null])
    expect(report).toMatchObject({ passed: true, trials: { count: 3, judged: 2, passed: 2, pass_k: [1, 1] } })
    const missing = await play({ command: ['agent-that-does-not-exist'] })
    expect(missing).toMatchObject({ passed: false, expectations: [], trials: { judged: 0, pass_k: [] } })
    expect(missing.runs.map(({ not_judged }) => not_judged)).toEqual(Array(3).fill('not-started'))
  })

  it('do not blame an agent whose port another program has', async () => {
    const agents = await useAgents()
    const other = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
    onTestFinished(async () => void (await new Promise((resolve) => other.close(resolve))))
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const scenario = listening(port)
    const noted: string[] = []
    const report = await play({
      ...{ scenario, trials: 2, jobs: 2 },
      command: await agents(`await receive(${port}, () => undefined); await untilTheEnd()`),
      watcher: { noted: (note) => void noted.push(note) },
    })
    expect(report.runs.map(({ not_judged }) => not_judged)).toEqual(['port-taken', 'port-taken'])
    expect(noted).toEqual([
      `They are played one at a time, since only one at a time can have 127.0.0.1:${port}.`,
    ])
  })

  it('are played one after another where only one agent at a time can listen', async () => {
    const agents = await useAgents()
    const port = await freePort()
    const scenario = listening(port)
    const script = `await receive(${port}, () => undefined); ${scripts.diligent}; process.exit()`
    const report = await play({ command: await agents(script), scenario, jobs: 3 })
    expect(report).toMatchObject({ passed: true, trials: { judged: 3 } })
  })

  it('are played together if each agent is told a port of its own', async () => {
    const agents = await useAgents()
    const port = await freePort()
    const script = `
      const received = new Promise((resolve) => receive(Number(process.env.PORT), resolve))
      console.log(process.env.PORT)
      await received
      ${scripts.diligent}
      process.exit()
    `
    const ports = new Set<string>()
    const noted: string[] = []
    const report = await play({
      ...{ command: await agents(script), scenario: listening(port), jobs: 3, clock: 'auto' },
      variables: { PORT: `{port:${port}}` },
      watcher: {
        of: () => ({ wrote: (lines) => lines.forEach((line) => void ports.add(line)) }),
        noted: (note) => void noted.push(note),
      },
    })
    expect(report).toMatchObject({ passed: true, trials: { judged: 3, passed: 3 } })
    expect({ ports: ports.size, isSame: ports.has(String(port)), noted }).toEqual({
      ...{ ports: 3, isSame: false, noted: [] },
    })
  })
})

/** Returns the story with an agent that receives deliveries at a port of this machine. */
function listening(port: number) {
  const url = `http://127.0.0.1:${port}/hook`
  return story({ webhooks: [{ url, events: ['message.received'], agent_handle: 'support' }] })
}
