import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { expect, it, onTestFinished } from 'vitest'
import { play } from '../../src/runs/play.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { loadScenario } from '../../src/story/load.js'
import { askHandlers } from '../support/ask-handlers.js'

/** A desk with a question, and entries about the program of its agent. */
const desk = (...timeline: object[]): ScenarioInput => ({
  scenario: 'desk',
  extend: 'common',
  identities: [
    {
      handle: 'support',
      threads: [
        { key: 'lamp', subject: 'Lamp', messages: [{ key: 'ask', from: 'ann@example.com', text: 'Hm?' }] },
      ],
    },
  ],
  timeline: timeline as ScenarioInput['timeline'],
})

/** Opens a world whose agent notes what the story does to it; a killed one makes no further request. */
async function living(...timeline: object[]) {
  const simulator = await createSimulator({ scenario: desk(...timeline) })
  onTestFinished(() => simulator.close())
  const acts: string[] = []
  let isKilled = false
  simulator.view.world.agentLife = {
    copies: 1,
    perform(act) {
      acts.push(act)
      isKilled ||= act === 'kill'
      return null
    },
    get client() {
      return { start: 1, isKilled }
    },
  }
  return { simulator, acts }
}

const replyTo = (simulator: Simulator) => {
  const [message] = simulator.mailbox.conversation(simulator.threads.list()[0]?.id as string).messages
  const path = `/mail/messages/${message?.id}/reply`
  // One that was killed before is not answered.
  return askHandlers(simulator, 'POST', path, { text: 'Yes.' }).catch(() => undefined)
}

it('kills the agent before its request is performed, and after its message is sent', async () => {
  const before = await living({ when: { request: 'messages.reply' }, agent: 'kill' })
  await replyTo(before.simulator)
  const after = await living({ when: { sent: {} }, agent: 'kill' })
  await replyTo(after.simulator)
  const shown = [before, after].map(({ simulator, acts }) => {
    const [{ status, start, operation } = {}] = simulator.journal.exchanges()
    return { acts, sent: simulator.sent().length, status, start, operation }
  })
  const same = { acts: ['kill'], start: 1, operation: 'messages.reply' }
  expect(shown).toEqual([
    { ...same, sent: 0, status: 0 },
    { ...same, sent: 1, status: 201 },
  ])
})

it('leaves a message for which it waits to the person who answers it', async () => {
  const { simulator, acts } = await living(
    { when: { sent: {} }, agent: 'kill' },
    { when: { sent: {} }, receive: { in_reply_to: 'sent', text: 'Thanks.' } },
  )
  await replyTo(simulator)
  expect([acts, simulator.mailbox.threads().threads[0]?.message_count]).toEqual([['kill'], 3])
})

it('is checked anywhere, and says where nothing is started', async () => {
  const simulator = await createSimulator({ scenario: desk({ after: '1m', agent: 'kill' }) })
  onTestFinished(() => simulator.close())
  await simulator.clock.advance('1m')
  expect(simulator.timeline.played()[0]?.problem).toContain('replay and check start the command')
})

it('is refused in a play without a command, by the names of its entries', async () => {
  const story = await loadScenario(desk({ after: '1m', agent: 'stop' }, { after: '2m', agent: 'start' }))
  const refused = await play(story, null).catch((error: Error) => error.message)
  expect(refused).toMatch(/the entry 1m agent: .*\n.*the entry 2m agent: /)
  expect(refused).toContain('name the command of the agent after --')
})

it('is refused before the agent has started', async () => {
  await expect(loadScenario(desk({ after: '0s', agent: 'kill' }))).rejects.toThrow('write a later time')
})
