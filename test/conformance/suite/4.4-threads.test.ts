import { describe, expect, it } from 'vitest'
import { expectError } from '../assertions.js'
import { jsonOf, messagesPath, openMailbox } from '../mailbox.js'
import { keys } from '../scenario.js'

const none = { messages: [], total: 0 }
const conversation = 'Where is my lamp?'

describe('4.4 thread_id', () => {
  it('4.4 selects the messages of this thread, together with agent those of both', async () => {
    const mailbox = await openMailbox()
    for (const { id, message_count } of (await mailbox.threads({ limit: 20 })).threads) {
      const { messages, total } = await mailbox.messages({ thread_id: id })
      expect(messages.map(({ thread_id }) => thread_id)).toEqual(Array(message_count).fill(id))
      expect(total).toBe(message_count)
    }
    const { id } = await mailbox.thread(conversation)
    const ofThread = await mailbox.messages({ thread_id: id })
    expect(await mailbox.messages({ thread_id: id, agent: 'eva' })).toEqual(ofThread)
    expect(await mailbox.messages({ thread_id: id, agent: 'max' })).toEqual(none)
  })

  it('4.4 matches no prefix and no other id', async () => {
    const mailbox = await openMailbox()
    const { id } = await mailbox.thread(conversation)
    const [message] = await mailbox.messagesOf(conversation)
    const others = ['', id.slice(0, -1), id.slice(5), `${id}x`, id.toUpperCase(), message?.id ?? '']
    for (const thread_id of others) expect(await mailbox.messages({ thread_id })).toEqual(none)
  })

  it.each(['empty', 'not-found'])('4.4 of another organization is unknown (%s)', async (assumption) => {
    const mailbox = await openMailbox({ 'messages.unknown-thread': assumption } as never)
    const { threads } = await mailbox.threads({}, { key: keys.other })
    for (const { id } of threads) {
      for (const query of [{ thread_id: id }, { thread_id: id, agent: 'eva' }]) {
        const answer = await mailbox.get(messagesPath(query))
        if (assumption === 'empty') expect(jsonOf(answer)).toEqual(none)
        else expectError(answer, 404)
      }
    }
    if (assumption === 'empty') return
    const { id } = await mailbox.thread('Thanks')
    expectError(await mailbox.get(messagesPath({ thread_id: id, agent: 'nobody' })), 404)
  })
})
