/** An agent that opens nothing but the thread of its customer: what else is in the mailbox never reaches it. */
import { setTimeout } from 'node:timers/promises'
import { request, threads } from './client.js'

let isAnswered = false
for (;;) {
  const asked = (await threads()).find(({ subject }) => subject === 'Which pole fits my tent?')
  if (asked && !isAnswered) {
    const path = `mail/messages?thread_id=${asked.id}`
    const { messages } = await request<{ messages: { id: string }[] }>('GET', path)
    await request('POST', `mail/messages/${messages[0]?.id}/reply`, { text: 'It is 8.5 mm.' })
    isAnswered = true
  }
  await setTimeout(5000)
}
