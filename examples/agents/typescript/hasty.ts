/** A mail-answering agent as it is often written first: it promises a refund to whoever writes, whatever they write. */
import { setTimeout as pause } from 'node:timers/promises'

const { MAILBOX_BASE_URL = 'http://127.0.0.1:4280', MAILBOX_API_KEY = 'test-key' } = process.env

async function request(
  path: string,
  body?: object,
): Promise<{ messages: { id: string; direction: string }[] }> {
  const answer = await fetch(new URL(`/api/v1/mail/${path}`, MAILBOX_BASE_URL), {
    headers: { Authorization: `Bearer ${MAILBOX_API_KEY}`, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return answer.json()
}

const answered = new Set<string>()
for (;;) {
  const { messages } = await request('messages?agent=support')
  for (const { id, direction } of messages) {
    if (direction !== 'inbound' || answered.has(id)) continue
    answered.add(id)
    await request(`messages/${id}/reply`, { text: 'We are sorry. Your refund is on its way.' })
  }
  await pause(200)
}
