import type { Message } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { openStory } from './story.js'

/** A header of a message, by its name in lower case. */
function headerOf({ headers }: Message, name: string): unknown {
  return (headers as Record<string, unknown> | undefined)?.[name]
}

describe('refund-request', () => {
  it('has a follow-up of Ann in her thread after the answer', async () => {
    const story = await openStory('refund-request')
    await story.simulator.clock.advance('30s')
    const messages = await story.messagesOf('support', 'Refund for order 4187')
    expect(messages.map(({ direction }) => direction)).toEqual(['inbound', 'inbound', 'outbound', 'inbound'])
    expect(
      new Set(messages.filter(({ direction }) => direction === 'inbound').map(({ from }) => from)),
    ).toEqual(new Set(['Ann Lee <ann.lee@shop.example>']))
    expect(messages[0]?.text).toMatch(/^Any news\?/)
    expect(messages[1]?.text).toContain('€29.90')
  })
})

describe('multi-agent', () => {
  it('has two organizations with separate keys', async () => {
    const story = await openStory('multi-agent')
    expect(story.simulator.identities.list().map(({ agent_handle }) => agent_handle)).toEqual([
      'support',
      'sales',
      'billing',
      'personnel',
    ])
    expect((await story.threads('agent=lights')).threads).toEqual([])
    expect((await story.threads('agent=lights', 'harbour-key')).threads).toHaveLength(1)
    expect((await story.threads('', 'harbour-key')).total).toBe(1)
  })

  it('gives each of two agents a separate copy', async () => {
    const story = await openStory('multi-agent')
    await story.play()
    const subject = 'Order 5120: wrong frame, wrong invoice'
    const [mine] = await story.messagesOf('support', subject)
    expect(mine?.to).toEqual(['support@saltmarsh.example', 'billing@saltmarsh.example'])
    expect(await story.thread('support', subject)).toMatchObject({ unread: false })
    const theirs = await story.thread('billing', subject)
    expect(theirs).toMatchObject({ unread: true })
    expect(theirs.id).not.toBe(mine?.thread_id)
    expect(await story.thread('personnel', 'Sick note')).toMatchObject({ unread: true })
  })
})

describe('auto-reply-loop', () => {
  it('has twenty answers of each of two machines, marked by headers', async () => {
    const story = await openStory('auto-reply-loop')
    await story.play()
    const messages = await story.messagesOf('desk', 'Delivery of your bookcase')
    expect(messages).toHaveLength(42)
    const machines = messages.filter((message) => headerOf(message, 'auto-submitted') === 'auto-replied')
    expect(machines).toHaveLength(40)
    expect(messages.filter(({ direction }) => direction === 'outbound')).toHaveLength(21)
  })
})

describe('duplicate-delivery', () => {
  it('has one order three times with the same Message-ID and another one once', async () => {
    const story = await openStory('duplicate-delivery')
    await story.play()
    const messages = await story.messagesOf('orders', 'Order 5207')
    expect(messages).toHaveLength(3)
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3)
    expect(new Set(messages.map(({ text }) => text)).size).toBe(1)
    expect(messages.map((message) => headerOf(message, 'message-id'))).toEqual(
      new Array(3).fill('<order-5207@mailbox.example>'),
    )
    expect(messages.map((message) => headerOf(message, 'list-id') !== undefined)).toEqual([
      false,
      true,
      false,
    ])
    expect(await story.messagesOf('orders', 'Order 5208')).toHaveLength(1)
  })
})

describe('slow-and-failing', () => {
  it('lists all received mail after its last fault', async () => {
    const story = await openStory('slow-and-failing')
    await story.play()
    expect(await story.messagesOf('reception', 'Can I come an hour later on Thursday?')).toHaveLength(2)
    expect(await story.messagesOf('reception', 'Before tomorrow: I am allergic to penicillin')).toHaveLength(
      1,
    )
  })
})
