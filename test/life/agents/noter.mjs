// Replies to each message, marks its thread as read, and ends. It notes each request before it sends it, and each change once
// it is acknowledged, in the files that its arguments name; a request that it repeats has the same key.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'

const [sent, acknowledged] = process.argv.slice(2)
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key, MAILBOX_START: start } = process.env
const done = new Set(existsSync(acknowledged) ? readFileSync(acknowledged, 'utf8').split('\n') : [])
let number = 0

async function call(method, path, body, more = {}) {
  const name = `${start}/${++number}`
  appendFileSync(sent, `${name}\n`)
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-name': name,
    ...more,
  }
  const response = await fetch(`${base}/api/v1/mail/${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return response.json()
}

async function once(name, change) {
  if (done.has(name)) return
  await change()
  appendFileSync(acknowledged, `${name}\n`)
}

const { threads } = await call('GET', 'threads?agent=support&limit=50')
for (const { id } of threads) {
  if (done.has(`read ${id}`)) continue
  const { messages } = await call('GET', `messages?thread_id=${id}&limit=100`)
  const [asked] = messages.filter(({ direction }) => direction === 'inbound')
  await once(`reply ${asked.id}`, () => {
    return call(
      'POST',
      `messages/${asked.id}/reply`,
      { text: `For ${asked.id}` },
      { 'idempotency-key': asked.id },
    )
  })
  await once(`read ${id}`, () => call('PATCH', `threads/${id}`, { unread: false }))
}
