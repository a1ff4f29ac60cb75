import { createSimulator, type ScenarioInput } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'

type Entries = NonNullable<ScenarioInput['timeline']>

const eml = 'From: Ann Lee <ann@shop.example>\r\nTo: list@shop.example\r\nSubject: Lamp\r\n\r\nIt is broken.'

/** Plays a timeline; returns the sender, the recipients and the subject of each message of its only thread, in order. */
async function told(timeline: Entries): Promise<unknown[]> {
  const identities = [{ handle: 'support' }, { handle: 'sales' }]
  const sim = await createSimulator({ scenario: { scenario: 'desk', identities, timeline } })
  await sim.clock.advance('1h')
  const { threads } = sim.mailbox.threads({ agent: 'support' })
  expect(threads).toHaveLength(1)
  const { messages } = sim.mailbox.conversation(threads[0]?.id ?? '')
  return messages.map(({ from, to, subject }) => [from, ...to, subject])
}

describe('a thread that the timeline begins', () => {
  const followUp: Entries[number] = { after: '2m', receive: { thread: 'lamp', text: 'Any news?' } }
  const ann = 'Ann Lee <ann@shop.example>'
  const agent = 'support@agents.example'

  it.each<[string, Entries[number]]>([
    ['a message', { after: '1m', receive: { to: 'support', thread: 'lamp', from: ann, subject: 'Lamp' } }],
    ['a file', { after: '1m', receive: { to: 'support', thread: 'lamp', eml } }],
    [
      'sent mail',
      { after: '1m', send: { from: 'support', thread: 'lamp', to: ['sales', ann], subject: 'Lamp' } },
    ],
  ])('is answered by its own person: begun by %s', async (_, begin) => {
    // The order of the file is not that of the story.
    for (const timeline of [
      [begin, followUp],
      [followUp, begin],
    ]) {
      const [, answer] = await told(timeline)
      expect(answer).toEqual([ann, agent, 'Re: Lamp'])
    }
  })

  it('sends to its own person', async () => {
    const begin = { after: '1m' as const, receive: { to: 'support', thread: 'lamp', eml } }
    const [, answer] = await told([begin, { after: '2m', send: { thread: 'lamp', text: 'Sorry.' } }])
    expect(answer).toEqual([`support <${agent}>`, 'ann@shop.example', 'Re: Lamp'])
  })

  it('keeps one person that nobody names', async () => {
    const begin = { after: '1m' as const, receive: { to: 'support', thread: 'lamp', subject: 'Lamp' } }
    const [[first] = [], [second] = []] = (await told([begin, followUp])) as string[][]
    expect(second).toBe(first)
  })

  it('has the subject of its file', async () => {
    const begin = { after: '1m' as const, receive: { to: 'support', thread: 'lamp', eml } }
    expect(await told([begin])).toEqual([[ann, 'list@shop.example', 'Lamp']])
  })
})
