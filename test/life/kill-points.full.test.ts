import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { replayAndKeep } from '../../src/runs/replay/replay.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { expectNoProcessLeft } from '../replay/no-process-left.js'

const { variables } = expectNoProcessLeft()

/** How many people write, and how often the agent is killed for each of them. */
const [people, killsOfEach] = [4, 5]

/** For each person, the agent is killed before and after it replies, before it marks the thread, and before two reads. */
function kills(person: number): object[] {
  const moments = [
    { request: 'messages.reply', nth: 3 * person + 1 },
    { sent: {}, nth: person + 1 },
    { request: 'threads.update', nth: 2 * person + 1 },
    { request: 'threads.list', nth: 5 * person + 3 },
    { request: 'messages.list', nth: 4 * person + 2 },
  ]
  return moments.map((when) => ({ when, agent: 'kill' }))
}

it('loses and doubles no acknowledged change of an agent that is killed at twenty points', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kills-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = [join(folder, 'sent'), join(folder, 'acknowledged')] as const
  const numbers = Array.from({ length: people }, (_, person) => person)
  const scenario: ScenarioInput = {
    scenario: 'kills',
    extend: 'common',
    organization: { api_keys: ['test-key'] },
    assume: { 'common.idempotency': 'replayed', 'threads.unread-after-read': 'stays-unread' },
    identities: [
      {
        handle: 'support',
        threads: numbers.map((person) => ({
          messages: [{ from: `p${person}@example.com`, at: `-${person + 1}h`, text: 'Hello?' }],
        })),
      },
    ],
    timeline: numbers.flatMap(kills) as ScenarioInput['timeline'],
  }
  const command = [process.execPath, join(import.meta.dirname, 'agents', 'noter.mjs'), ...files]
  const { report, server } = await replayAndKeep({ scenario, command, variables: variables() })
  onTestFinished(() => server.close())
  const { journal, mailbox } = server.simulator
  const [sent, acknowledged] = files.map((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))

  const starts = report.starts ?? []
  expect(starts.map(({ ended }) => ended)).toEqual([
    ...Array(people * killsOfEach).fill('killed'),
    'by-itself',
  ])
  const exchanges = journal.exchanges()
  expect(exchanges.map(({ request }) => request.headers['x-name'])).toEqual(sent)
  expect(exchanges.map(({ start, request }) => [start, request.headers['x-name']?.split('/')[0]])).toEqual(
    exchanges.map(({ start }) => [start, `${start}`]),
  )
  expect(
    starts.map(
      ({ start, requests }) => requests - (sent ?? []).filter((name) => name.startsWith(`${start}/`)).length,
    ),
  ).toEqual(starts.map(() => 0))

  const { threads } = mailbox.threads()
  const messages = threads.flatMap(({ id }) => mailbox.conversation(id).messages)
  const replies = messages.filter(({ direction }) => direction === 'outbound').map(({ text }) => text)
  const done = [
    ...threads.filter(({ unread }) => !unread).map(({ id }) => `read ${id}`),
    ...replies.map((text) => text?.replace('For', 'reply')),
  ]
  expect(done.toSorted()).toEqual(acknowledged?.toSorted())
  expect(new Set(done).size).toBe(2 * people)
})
