import { describe, expect, it, vi } from 'vitest'
import type { ReplayReport } from '../../src/runs/replay/outcome.js'
import { type ReplayOptions, replay } from '../../src/runs/replay/replay.js'
import { freePort, scripts, useAgents } from './agent-scripts.js'
import { expectNoProcessLeft } from './no-process-left.js'
import { reportSchema } from './report-schema.js'
import { readAgain, story } from './story.js'

expectNoProcessLeft()

/** Replays a short story against a script and returns the report, which has the documented format. */
async function play(script: string | undefined, options: Partial<ReplayOptions> = {}): Promise<ReplayReport> {
  const agents = await useAgents()
  const command = script === undefined ? undefined : await agents(script)
  const report = await replay({ scenario: story(), clock: 'frozen', command, ...options })
  expect(reportSchema.safeParse(JSON.parse(JSON.stringify(report))).error).toBeUndefined()
  return report
}

const passedOf = ({ verdicts }: ReplayReport): boolean[] => verdicts.map(({ passed }) => passed)

describe('a story played against an agent', () => {
  it('answers an agent on a frozen clock however often it asks the same', async () => {
    const report = await play(
      `
      for (let count = 0; count < 6; count++) await ask('/mail/threads?agent=support')
      await ask('/identities/support', { display_name: 'Answered' })
    `,
      {
        scenario: story({ expect: [{ identity: 'support', has: { display_name: 'Answered' } }] }),
      },
    )
    expect(report.command).toMatchObject({ ended: 'by-itself', passed: true })
    expect(passedOf(report)).toEqual([true])
  })

  it('goes on to its end when the agent begins it anew, and ends an agent that keeps running', async () => {
    const script = `
      await ask('/mail/threads?agent=support')
      const modeOf = async () => (await (await fetch(sim + '/clock')).json()).mode
      while (await modeOf() === 'frozen');
      await fetch(sim + '/reset', { method: 'POST', headers })
      await untilTheEnd()
    `
    const report = await play(script, { clock: '100x', grace: 5_000 })
    expect(report).toMatchObject({
      command: { signal: 'SIGTERM', ended: 'story-over', passed: true, problem: null },
      timeline: { played: [{ name: 'again' }], left: 0 },
      ended_at: '2026-01-05T09:00:15.000Z',
    })
  })

  it.each([
    ['as it was told', { status: 503, retry_after: 2 }],
    ['by itself', { status: 503 }],
    ['after an answer that it cannot read', { malformed: true as const }],
  ])('waits at its end for an agent that waits %s before it repeats a request', async (_, answer) => {
    const scenario = story({
      timeline: [{ after: '0s', fault: { operation: 'threads.list', times: 1, ...answer } }],
    })
    // The end of the story is less than two seconds of wall time away.
    const script = `
      const list = () => ask('/mail/threads?agent=support')
      await list().then(({ threads }) => threads.length).catch(() => pause(2)).then(list)
      await ask('/identities/support', { display_name: 'Busy' })
      await untilTheEnd()
    `
    const report = await play(script, { scenario, clock: '100x', grace: 170_000 })
    expect(passedOf(report)).toEqual([true, true])
    expect(report).toMatchObject({ ended_at: '2026-01-05T09:02:50.000Z' })
  })

  it.each([
    ['goes on with its work', 'offset', true],
    ['only repeats what it asks', 'limit', false],
  ])('lets an agent finish on a fast clock if it %s', async (_, parameter, isBusy) => {
    // The end of the story is half a second of wall time away, and the work takes three.
    const script = `
      for (let n = 1; n < 9; n++) {
        await ask('/mail/threads?agent=support&${parameter}=' + (${isBusy} ? n : 1))
        await pause(0.4)
      }
      await ask('/identities/support', { display_name: 'Busy' })
      await untilTheEnd()
    `
    const report = await play(script, { clock: '100x', grace: 50_000 })
    expect(passedOf(report)).toEqual([isBusy, true])
    expect(report.ended_at).toBe('2026-01-05T09:01:00.000Z')
  })

  it('lets an agent on a fast clock wait for a slow answer', async () => {
    const scenario = story({
      timeline: [{ after: '0s', fault: { operation: 'identities.update', delay: '3m', times: 1 } }],
    })
    const script = `
      await ask('/mail/threads?agent=support')
      await ask('/identities/support', { display_name: 'Busy' })
      await untilTheEnd()
    `
    expect(passedOf(await play(script, { scenario, clock: '100x', grace: 50_000 }))).toEqual([true, true])
  })

  it('fails with a failing agent and shows its last lines without keys and ports', async () => {
    const report = await play(scripts.failing, { scenario: story({ expect: [] }) })
    expect(report).toMatchObject({ passed: false, verdicts: [] })
    expect(report.command).toMatchObject({
      status: 3,
      ended: 'by-itself',
      passed: false,
      problem: 'exited with status 3',
      output: 'no idea, with *** at $MAILBOX_BASE_URL',
    })
  })
})

describe('time in a story', () => {
  it('waits on a running clock for an external agent', async () => {
    const heard: boolean[] = []
    const report = await play(undefined, {
      clock: '100x',
      grace: 30_000,
      patience: 500,
      scenario: story({ expect: [{ request: 'threads.list', within: '5s' }] }),
      watcher: {
        started: ({ url }) => void fetch(`${url}/api/v1/mail/threads`).then((answer) => answer.text()),
        begun: (ready) => void heard.push(ready),
      },
    })
    expect(report).toMatchObject({ command: null, passed: true, ended_at: '2026-01-05T09:00:40.000Z' })
    expect(heard).toEqual([true])
  })

  it('does not take it for a sign of the agent that something asks for the health', async () => {
    const heard: boolean[] = []
    const watcher = { begun: (ready: boolean) => void heard.push(ready) }
    // It never rests before its time to begin is over.
    const script = `for (let n = 0; n < 2_000; n++) await fetch(sim + '/health').then((answer) => answer.text())`
    await play(script, { clock: '100x', grace: 0, patience: 300, watcher })
    expect(heard).toEqual([false])
  })

  it('does not play the story if no agent answers at a URL', async () => {
    const ready = `http://127.0.0.1:${await freePort()}/`
    const run = replay({ scenario: story(), ready, patience: 50 })
    await expect(run).rejects.toMatchObject({ code: 'not-ready', message: expect.stringContaining(ready) })
  })

  it('does not begin before the agent is ready', async () => {
    const script = `
      const { threads } = await ask('/mail/threads?agent=support')
      await ask('/identities/support', { display_name: threads.length + ' ' + (await (await fetch(sim + '/clock')).json()).now })
      await untilTheEnd()
    `
    const expectation = {
      identity: 'support',
      has: { display_name: { matches: '^1 2026-01-05T09:00:[0-3]' } },
    }
    const scenario = story({ expect: [expectation] })
    const report = await play(script, { clock: '10x', grace: 5_000, scenario })
    expect(passedOf(report)).toEqual([true])
  })
})

describe('an agent that receives deliveries', () => {
  const subscribed = (port: number) =>
    story({
      webhooks: [
        { url: `http://127.0.0.1:${port}/hook`, events: ['message.received'], agent_handle: 'support' },
      ],
      expect: [{ delivery: 'message.received', status: 'succeeded', times: 1 }, readAgain],
    })

  const receiving = (port: number, before = '') => `
    ${before}
    await receive(${port}, async () => {
      const { threads } = await ask('/mail/threads?agent=support')
      await ask('/mail/messages?thread_id=' + threads[0].id)
    })
    await untilTheEnd()
  `

  it('is awaited if its receiver is on this machine', async () => {
    const port = await freePort()
    const report = await play(receiving(port), { clock: '100x', scenario: subscribed(port) })
    expect(passedOf(report)).toEqual([true, true])
    expect(report.deliveries).toBe(1)
  })

  it('has as long to answer on a fast clock as in life', async () => {
    const port = await freePort()
    const scenario = {
      ...subscribed(port),
      assume: { 'events.timeout': '5s' as const },
      expect: [
        { delivery: 'message.received', status: 'succeeded', times: 1 } as const,
        { invariant: 'accepts-events' } as const,
      ],
    }
    const slow = `
      createServer((_, response) => void pause(0.5).then(() => response.end())).listen(${port}, '127.0.0.1')
      await untilTheEnd()
    `
    expect(passedOf(await play(slow, { clock: '100x', grace: 5_000, scenario }))).toEqual([true, true])
  })

  it('is awaited at a URL even if it sends requests before', async () => {
    const port = await freePort()
    const slow = `
      await ask('/identities/support')
      await new Promise((resolve) => setTimeout(resolve, 300))
    `
    const ready = `http://127.0.0.1:${port}/`
    const report = await play(receiving(port, slow), { clock: '100x', ready, scenario: subscribed(port) })
    expect(report.command).toMatchObject({ ended: 'story-over', passed: true })
    expect(passedOf(report)).toEqual([true, true])
  })

  it('fails if it does not answer in time, and the story is not played', async () => {
    const port = await freePort()
    const ready = `http://127.0.0.1:${port}/`
    const report = await play(scripts.present, { ready, patience: 150 })
    expect(report).toMatchObject({ passed: false, verdicts: [], timeline: { left: 1 } })
    expect(report.command).toMatchObject({
      ended: 'not-ready',
      problem: `did not respond at ${ready} within 300ms of its start`,
    })
  })
})

describe('the progress of a replay', () => {
  it('has events in order and the output of the command', async () => {
    const told: string[] = []
    const say = (text: string): void => void told.push(text)
    const script = `console.log('up'); await ask('/identities/support'); await untilTheEnd()`
    await play(script, {
      clock: '100x',
      grace: 30_000,
      watcher: {
        started: ({ scenario, entries, length }) => say(`${scenario} ${entries} ${length}`),
        begun: (ready) => say(`begun ${ready}`),
        happened: ({ type }) => say(type),
        wrote: (lines) => say(lines.join()),
        ended: ({ ended }) => say(ended),
      },
    })
    const order = ['question 1 40000', 'up', 'exchange', 'begun true', 'timeline', 'story-over']
    expect(told.filter((text) => order.includes(text))).toEqual(order)
  })

  it('warns if another program listens at the address of the agent', async () => {
    const { createServer } = await import('node:http')
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const noted = vi.fn()
    const webhooks = [
      { url: `http://127.0.0.1:${port}/`, events: ['message.received'], agent_handle: 'support' },
    ]
    await play(scripts.diligent, { scenario: story({ webhooks, timeline: [] } as never), watcher: { noted } })
    await new Promise((resolve) => other.close(resolve))
    expect(noted).toHaveBeenCalledWith(
      `Another program is already listening at 127.0.0.1:${port}; deliveries go there.`,
    )
  })
})

it('never begins if it was interrupted before', async () => {
  const run = replay({ scenario: story(), command: ['sleep', '1000'], signal: AbortSignal.abort() })
  await expect(run).rejects.toMatchObject({ code: 'interrupted' })
})
