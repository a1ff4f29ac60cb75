import { join } from 'node:path'
import { expect, it } from 'vitest'
import { replayAndKeep } from '../../src/runs/replay/replay.js'
import { replayReport } from '../../src/runs/replay/report.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { expectNoProcessLeft } from '../replay/no-process-left.js'
import { freePort } from '../state/programs.js'
import { desk } from './desk.js'

const { variables } = expectNoProcessLeft()

const from = (name: string) => ({
  receive: { to: 'support', from: `${name}@example.com`, subject: `Of ${name}`, text: 'Hello.' },
})

/** Four people write to a desk whose agent is killed, stopped and doubled. */
const story = (...life: object[]): ScenarioInput => ({
  ...desk,
  timeline: [
    { after: '10s', ...from('ann') },
    { after: '2m', ...from('bo') },
    { after: '6m', ...from('cy') },
    { after: '11m', ...from('di') },
    ...life,
  ] as ScenarioInput['timeline'],
})

const sent = { when: { sent: {} }, agent: 'kill' }
const asked = { when: { request: 'messages.reply', nth: 2 }, agent: 'kill' }
const down = [
  { after: '5m', agent: 'stop' },
  { after: '8m', agent: 'start' },
]
const second = [
  { when: { request: 'threads.list', nth: 2 }, agent: 'second' },
  { after: '12m', agent: 'one' },
]

/** Commands that make no mistake; the one in Node makes the mistake that an argument names. */
const [node, python] = [
  [process.execPath, join(import.meta.dirname, 'agents', 'worker.mjs')],
  ['python3', join(import.meta.dirname, 'agents', 'worker.py')],
] as const

/** Plays a story; returns the report, what makes a play the same, and what its journal says. */
async function replay(scenario: ScenarioInput, command: readonly string[]) {
  const { report, server } = await replayAndKeep({ scenario, command, variables: variables() })
  const exchanges = server.simulator.journal.exchanges()
  const messages = server.simulator.mailbox.threads().threads.map((thread) => {
    return server.simulator.mailbox.conversation(thread.id).messages
  })
  const acknowledged = exchanges.filter(
    ({ operation, status }) => operation === 'messages.reply' && status === 201,
  )
  await server.close()
  return { report, exchanges, messages: messages.flat(), acknowledged }
}

it.each([
  ['memory', [sent], 'answers-everyone'],
  ['saves-first', [asked], 'acts-once'],
  ['marks-first', [asked], 'acts-once'],
  ['high-water', down, 'acts-once'],
  ['unlocked', second, 'answers-everyone'],
] as const)('an agent with the mistake %s fails the story of a line or two', async (mistake, life, held) => {
  const { report } = await replay(story(...life), [...node, mistake])
  expect(report.verdicts.map(({ passed }) => passed)).toEqual([
    held === 'acts-once',
    held === 'answers-everyone',
  ])
})

it('an agent that only listens gets the events that it missed, however often it was down', async () => {
  const port = await freePort()
  const life = [
    { after: '10m', agent: 'stop' },
    { after: '11m', ...from('eva') },
    { after: '680s', agent: 'start' },
    { when: { request: 'messages.reply', nth: 5 }, agent: 'kill' },
  ]
  const webhooks: ScenarioInput['webhooks'] = [
    { url: `http://127.0.0.1:${port}/`, events: ['message.received'] },
  ]
  const receiver = join(import.meta.dirname, 'agents', 'receiver.mjs')
  const { report } = await replay({ ...story(...life), webhooks }, [process.execPath, receiver, `${port}`])
  expect([report.cause, report.passed]).toEqual([null, true])
})

it('says which copy failed while another one went on', async () => {
  const refuses = ['sh', '-c', 'mkdir "$MAILBOX_STATE_DIR/lock" || exit 1; exec "$@"', 'sh']
  const { report } = await replay(story({ after: '10s', agent: 'second' }), [...refuses, ...node])
  expect(report).toMatchObject({ passed: false, command: { ended: 'by-itself', status: 1 } })
  expect(report.starts?.map(({ ended }) => ended)).toEqual(['story-over', 'by-itself'])
  const { facts, notes } = replayReport(report)
  expect(facts).toContainEqual(
    expect.stringMatching(/^start 2 from .*: 0 requests, exited with status 1 at /),
  )
  expect(notes.join()).not.toContain('was played without it')
})

it('an agent without a mistake passes all of them, equally each time', async () => {
  const play = async () => {
    const all = story(sent, asked, ...down, ...second, { after: '10m', agent: 'second' })
    const { report, exchanges } = await replay(all, python)
    const { passed, digest, starts, cause } = report
    const journal = exchanges.map(({ at, start, method, path, status }) => [at, start, method, path, status])
    return { passed, cause, digest, starts, journal }
  }
  const [one, other] = [await play(), await play()]
  expect(one.cause).toBeNull()
  expect(other).toEqual(one)
  const starts = one.starts?.map(({ start, ended, requests }) => {
    return [start, ended, one.journal.filter(([, by]) => by === start).length === requests]
  })
  expect(starts).toEqual([
    [1, 'killed', true],
    [2, 'killed', true],
    [3, 'killed', true],
    [4, 'killed', true],
    [5, 'stopped', true],
    [6, 'stopped', true],
    [7, 'story-over', true],
    [8, 'stopped', true],
  ])
})
