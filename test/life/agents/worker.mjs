// Replies once to everything that comes in, and polls every half a minute. Its argument says which mistake it makes; without
// one, it keeps what it has done in its folder, and looks whether a reply was sent before it sends one, under a key that has
// an effect.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [mistake = 'none'] = process.argv.slice(2)
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key, MAILBOX_STATE_DIR: folder } = process.env
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds))

async function call(method, path, body, more = {}) {
  const options = { method, headers: { ...headers, ...more }, body: body && JSON.stringify(body) }
  const response = await fetch(`${base}/api/v1/mail/${path}`, options)
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return response.json()
}

const file = join(folder, 'done.json')
const keeps = !['memory', 'high-water'].includes(mistake)
const done = new Set(keeps && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [])
let isFirst = true

function note(id) {
  done.add(id)
  if (keeps) writeFileSync(file, JSON.stringify([...done]))
}

async function answer(message, messages) {
  if (mistake === 'saves-first') note(message.id)
  if (mistake === 'marks-first') await call('PATCH', `threads/${message.thread_id}`, { unread: false })
  const isAnswered = messages.some(({ direction, created_at: at }) => {
    return direction === 'outbound' && at >= message.created_at
  })
  const looks = mistake !== 'memory'
  const once = mistake === 'none' ? { 'idempotency-key': `reply-${message.id}` } : {}
  if (!looks || !isAnswered) await call('POST', `messages/${message.id}/reply`, { text: 'Thank you.' }, once)
  if (mistake !== 'saves-first') note(message.id)
}

for (;;) {
  const { threads } = await call('GET', 'threads?agent=support&limit=50')
  for (const { id, unread } of threads) {
    if (mistake === 'marks-first' && !unread) continue
    const { messages } = await call('GET', `messages?thread_id=${id}&limit=100`)
    for (const message of messages.filter(({ direction }) => direction === 'inbound')) {
      if (done.has(message.id)) continue
      // What was there when it started is old, as it takes it.
      if (mistake === 'high-water' && isFirst && process.env.MAILBOX_START !== '1') note(message.id)
      else await answer(message, messages)
    }
  }
  isFirst = false
  await pause(30)
}
