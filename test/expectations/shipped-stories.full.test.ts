import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ExpectationChecker } from '../../src/story/expectations/expectation-checker.js'
import { expectationKindNames } from '../../src/story/expectations/kinds.js'
import { type StoryName, storyInput, storyNames } from '../shipped-scenarios/story.js'
import { CarefulAgent } from './careful-agent.js'

/** The agent of a story and what it does at its end. */
const duties: Readonly<Record<StoryName, { handle: string; inTheEnd?(agent: CarefulAgent): Promise<void> }>> =
  {
    'auto-reply-loop': { handle: 'desk' },
    'bounce-storm': { handle: 'news' },
    'busy-inbox': { handle: 'support' },
    'duplicate-delivery': {
      handle: 'orders',
      inTheEnd: (agent) => agent.update({ description: 'Orders today: 2' }),
    },
    empty: { handle: 'desk' },
    'multi-agent': { handle: 'support' },
    'pagination-edges': {
      handle: 'messages_51',
      async inTheEnd(agent) {
        await agent.ask('/mail/threads?agent=threads_0&limit=100')
        await agent.ask('/mail/threads?agent=threads_50&limit=100')
        await agent.ask('/mail/threads?agent=threads_101&limit=100')
        await agent.ask('/mail/threads?agent=threads_101&limit=100&offset=100')
        await agent.ask('/mail/messages?agent=messages_51&limit=100')
      },
    },
    'prompt-injection': {
      handle: 'support',
      inTheEnd: (agent) => agent.reply('Which pole fits my tent?', 'It is 8.5 mm.'),
    },
    'refund-conversation': {
      handle: 'support',
      async inTheEnd(agent) {
        await agent.reply('Broken lamp', 'What is your order number?')
        await agent.reply('Broken lamp', 'You get EUR 24.90 back.')
      },
    },
    'refund-request': { handle: 'support', inTheEnd: (agent) => agent.update({ display_name: 'Busy' }) },
    'slow-and-failing': { handle: 'reception' },
    'support-desk': { handle: 'support' },
    'world-mail': { handle: 'world' },
  }

async function open(name: StoryName): Promise<{ simulator: Simulator; checker: ExpectationChecker }> {
  const simulator = await createSimulator({ scenario: name })
  onTestFinished(() => simulator.close())
  return { simulator, checker: new ExpectationChecker(simulator) }
}

describe.each(storyNames)('the expectations of %s', (name) => {
  it('are all decided', async () => {
    const { checker } = await open(name)
    const written = storyInput(name).expect ?? []
    const kinds = written.map((one) => expectationKindNames.find((kind) => one[kind] !== undefined))
    expect(checker.results().map(({ kind }) => kind)).toEqual(kinds)
    expect(checker.results().map(({ describe: words }) => words)).toEqual(written.map((one) => one.describe))
  })

  it('are met by a good agent', async () => {
    const { simulator, checker } = await open(name)
    const { handle, inTheEnd } = duties[name]
    const agent = new CarefulAgent(simulator, handle)
    await agent.work()
    await inTheEnd?.(agent)
    await simulator.clock.advance('10m')
    expect(checker.results().filter(({ passed }) => !passed)).toEqual([])
  })

  it('fail without an agent', async () => {
    const { simulator, checker } = await open(name)
    await simulator.clock.advance('20m')
    expect(checker.results().filter(({ passed }) => !passed)).not.toEqual([])
  })
})
