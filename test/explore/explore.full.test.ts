import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import type { ExploreReport } from '../../src/runs/explore/report.js'
import { programInProcess } from '../cli/in-process.js'
import { useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { freePort } from '../replay/agent-scripts.js'
import { client, exploredJson, outcomesOf } from './exploring.js'

const start = programInProcess()

// Starting a client ten times is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

describe('explore', () => {
  it('reports each run and what breaks a naive client', async () => {
    const path = await useFolder()
    const args = ['--gaps', 'threads.total', '--seed', '3', '--out', path('report.xml'), ...client('naive')]
    const { status, stdout, stderr } = await useProgram()('explore', ...args).outcome
    expect(status).toBe(1)
    const runs = stderr.trimEnd().split('\n')
    expect(runs.map((line) => line.replace(/\d+\.\d s/, 'TIME')).toSorted()).toEqual([
      'no change: passed, TIME',
      'no change: passed, TIME',
      'threads.total=all-threads: passed, TIME',
      'threads.total=page-size: failed, TIME: Error: expected all threads of the desk, got 100',
      'threads.total=page-size: failed, TIME: Error: expected all threads of the desk, got 100',
    ])
    expect(stdout).toMatch(
      /^✗ .*naive\.mjs breaks under 1 of 2 other assumptions: threads\.total=page-size: Error: expected all threads of the desk, got 100$/m,
    )
    expect(stdout).toMatch(
      /see it {2}npx agent-mailbox-sim explore --gaps threads\.total --seed 3 --assume threads\.total=page-size -- \S+ /,
    )
    expect(stdout).not.toContain('\u001b')
    expect(await readFile(path('report.xml'), 'utf8')).toContain('<testcase name="threads.total=page-size"')
  })
})

describe('explore with a failing command', () => {
  it('reports its last lines and explores nothing', async () => {
    const { status, report } = await exploredJson(start, ...client('broken'))
    expect(status).toBe(1)
    expect(report).toMatchObject({ passed: false, runs: 2, steady: true, tries: [] })
    expect(report.first).toMatchObject({
      passed: false,
      problem: 'exited with status 3',
      why: 'Error: nobody wrote this part yet',
    })
    expect(report.first.output.split('\n').toSorted()).toEqual([
      'Error: nobody wrote this part yet',
      'about to fail',
    ])
  })

  it('reports a flaky command without blaming an assumption', async () => {
    const path = await useFolder()
    const run = start.with({ RUNS: path('runs') })
    const how = ['--jobs', '1', '--gaps', 'threads.total', '--reporter', 'json', '--out', path('report.json')]
    const { status, stdout } = await run('explore', ...how, ...client('flaky')).outcome
    expect(status).toBe(0)
    expect(stdout).toContain('It is flaky without any change: run once more')
    const report: ExploreReport = JSON.parse(await readFile(path('report.json'), 'utf8'))
    expect(report).toMatchObject({ format: 'agent-mailbox-sim/explore-report', version: 1, passed: true })
    expect(report).toMatchObject({ steady: false, breaks: [] })
    expect(report.control).toMatchObject({ passed: false, why: 'Error: the moon is full' })
  })
})

describe('explore with a command that receives events', () => {
  it('makes one run at a time and follows the reliances of deliveries', async () => {
    const path = await useFolder()
    const port = String(await freePort())
    const webhooks = [{ url: `http://127.0.0.1:${port}/hook`, events: ['message.received'] }]
    const scenario = { scenario: 'hook', identities: [{ handle: 'support' }], webhooks }
    await writeFile(path('hook.json'), JSON.stringify(scenario))
    const args = [path('hook.json'), '--gaps', 'events.envelope', ...client('receiver')]
    const { status, report } = await exploredJson(start.with({ PORT: port }), ...args)
    expect(outcomesOf(report)).toEqual([
      'events.envelope=type-timestamp-data passed',
      'events.envelope=flat passed',
    ])
    expect({ status, steady: report.steady }).toEqual({ status: 0, steady: true })
    expect(report.relied.map(({ gap }) => gap)).toContain('events.envelope')
  })
})

describe('explore with an agent that keeps running', () => {
  it('judges it by what the story expects, and offers no assumption that the scenario names', async () => {
    const receive = (from: string) => ({
      to: 'support',
      from: `${from}@shop.example`,
      subject: from,
      text: 'When?',
    })
    const story = {
      scenario: 'two-questions',
      extend: 'common',
      assumptions: { 'threads.order': 'last-message-desc' },
      identities: [{ handle: 'support' }],
      timeline: [
        { after: '10s', receive: receive('ann') },
        { after: '60s', receive: receive('bob') },
      ],
      expect: [
        { sent: { to: 'ann@shop.example' }, times: 1 },
        { sent: { to: 'bob@shop.example' }, times: 1 },
      ],
    }
    const path = await useFolder()
    await writeFile(path('story.json'), JSON.stringify(story))
    const { status, report } = await exploredJson(start, path('story.json'), ...client('poller'))
    expect(status).toBe(1)
    expect(report.first).toMatchObject({ passed: true, ended: 'story-over' })
    expect(report.relied.find(({ gap }) => gap === 'threads.order')).toMatchObject({ pinned: true })
    const failed = outcomesOf(report).filter((line) => !line.endsWith(' passed'))
    expect(failed).toEqual(['threads.total=page-size failed'])
    expect(outcomesOf(report).join()).not.toContain('threads.order')
    expect(report.breaks).toMatchObject([
      {
        why: expect.stringContaining('to "bob@shop.example"'),
        again: expect.stringMatching(/^agent-mailbox-sim replay \S+ --assume threads.total=page-size -- /),
      },
    ])
  })
})

it('shows neither keys nor values that differ between runs', async () => {
  const path = await useFolder()
  const key = 'sk_live_51Hq8c2eZvKYlo2C'
  const threads = ['a', 'b'].map((text) => ({ messages: [{ from: 'ann@example.com', text }] }))
  const identities = [{ handle: 'support', threads }]
  const scenario = { scenario: 'two', organization: { api_keys: [key] }, identities }
  await writeFile(path('two.json'), JSON.stringify(scenario))
  const args = [path('two.json'), '--gaps', 'threads.total', ...client('leaks')]
  const { report, stdout, stderr } = await exploredJson(start, ...args)
  expect(report.breaks[0]?.why).toMatch(/^Error: \$MAILBOX_BASE_URL with \S+, traced in \$MAILBOX_SIM_TRACE$/)
  expect(stdout + stderr).not.toContain(key)
})
