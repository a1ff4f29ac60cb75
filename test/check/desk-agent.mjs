// Answers the mail of a desk, by polling or by events. `node desk-agent.mjs poll|events [BUG]`: without a bug it does
// everything right. BUG is one of those that `bug(…)` names below.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const [how, chosen] = process.argv.slice(2)
const bug = (name) => chosen === name
const {
  MAILBOX_BASE_URL: base,
  MAILBOX_API_KEY: key,
  MAILBOX_STATE_DIR: folder = '.',
  PORT = '8787',
} = process.env
const limit = Number(process.env.LIMIT ?? 10)
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

/** Sends a request, and again after a failure that passes. */
async function call(path, { method = 'GET', body, once } = {}) {
  for (let attempt = 1; ; attempt++) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    // Whatever happens to the response, the second request with this key does nothing.
    if (once && !bug('twice-after-a-loss') && !bug('forgets-at-a-restart')) headers['idempotency-key'] = once
    let status = 0
    let wait = 2 ** attempt * 1000
    try {
      const signal = AbortSignal.timeout(60_000)
      const answer = await fetch(`${base}/api/v1/${path}`, {
        method,
        headers,
        signal,
        body: body && JSON.stringify(body),
      })
      status = answer.status
      const asked = Number(answer.headers.get('retry-after') ?? 0) * 1000
      if (asked > 0) wait = bug('ignores-retry-after') ? 200 : asked
      if (answer.ok) return await answer.json()
    } catch {
      status = 0
    }
    const passes = status === 0 || status === 200 || status === 429 || status >= 500
    if (bug('stops-at-a-failure')) process.exit(1)
    if (!passes || attempt === 6) throw new Error(`${method} ${path}: ${status}`)
    await sleep(wait)
  }
}

/** What was handled, by the ids of messages, kept for the next start. */
const file = join(folder, 'handled.json')
const handled = new Set(bug('forgets-at-a-restart') ? [] : load())
function load() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}
function done(id) {
  handled.add(id)
  writeFileSync(`${file}.new`, JSON.stringify([...handled]))
  renameSync(`${file}.new`, file)
}

async function threads() {
  const found = new Map()
  for (let offset = 0; ; offset += limit) {
    const page = await call(`mail/threads?agent=support&limit=${limit}&offset=${offset}`)
    for (const thread of page.threads) found.set(thread.id, thread)
    if (bug('first-page-only')) break
    if (bug('trusts-the-total') ? found.size >= page.total : page.threads.length < limit) break
  }
  return [...found.values()]
}

async function messages(thread) {
  const { messages: all } = await call(`mail/messages?thread_id=${thread}&limit=100`)
  return all.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
}

/** Returns whether a program wrote a message. */
function isAutomatic({ headers = {} }) {
  if (bug('answers-programs')) return false
  const list = Array.isArray(headers)
    ? headers.map(({ name, value }) => [name, value])
    : Object.entries(headers)
  return list.some(([name, value]) => {
    const field = name.toLowerCase()
    if (field === 'auto-submitted') return String(value) !== 'no'
    return (
      ['precedence', 'list-id', 'x-auto-response-suppress'].includes(field) ||
      (field === 'return-path' && String(value) === '<>')
    )
  })
}

const wordsOf = ({ text, html }) =>
  text || (bug('reads-no-html') ? '' : (html ?? '').replace(/<[^>]*>/g, ' '))

/** Answers the new messages of a thread, all of which were read, with one reply to the last. */
async function answer(thread, all) {
  const open = all.filter(({ id, direction }) => direction === 'inbound' && !handled.has(id))
  const asked = open.filter((one) => !isAutomatic(one) && wordsOf(one).trim() !== '')
  const last = asked.at(-1)
  if (last) {
    if (bug('obeys')) await obey(wordsOf(last))
    const text = `Thank you for your message "${last.subject}". We look into it.`
    await call(`mail/messages/${last.id}/reply`, {
      method: 'POST',
      body: { text },
      once: `reply to ${last.id}`,
    })
  }
  for (const { id } of open) done(id)
  if (bug('closes-what-it-has-not-read')) done(thread)
}

/** Does what a message says. */
async function obey(text) {
  const [to] = /[\w.-]+@[\w-]+(\.[\w-]+)+/.exec(text) ?? []
  if (to)
    await call('mail/messages', {
      method: 'POST',
      body: { agent: 'support', to, subject: 'As you asked', text },
    })
}

/** How many messages of each thread were there when nothing in it was open. */
const closed = new Map()

/** Looks for new mail, and then answers it. */
async function round() {
  const found = []
  for (const { id: thread, message_count: count } of await threads()) {
    if (handled.has(thread) || closed.get(thread) === count) continue
    const all = await messages(thread)
    if (all.some(({ id, direction }) => direction === 'inbound' && !handled.has(id))) found.push(thread)
    else closed.set(thread, count)
  }
  if (bug('closes-what-it-has-not-read')) {
    const read = []
    for (const thread of found) read.push([thread, await messages(thread)])
    for (const [thread, all] of read) await answer(thread, all)
  } else {
    for (const thread of found) await answer(thread, await messages(thread))
  }
}

if (how === 'poll') {
  if (bug('skips-what-came-before-it-started')) {
    const isFirst = !load().length
    for (const { id: thread } of isFirst ? [] : await threads()) {
      for (const { id } of await messages(thread)) done(id)
    }
  }
  for (;;) {
    await round().catch((error) => process.stderr.write(`${error}\n`))
    await sleep(20_000)
  }
} else {
  let before = Promise.resolve()
  const handle = async ({ data, ...event }) => {
    const { message, message_id: id = message?.id, thread_id: thread = message?.thread_id } = data ?? event
    if (bug('answers-an-event-twice')) {
      const text = `Thank you for message ${id}.`
      await call(`mail/messages/${id}/reply`, { method: 'POST', body: { text } })
    } else {
      const all = await messages(thread)
      if (!all.some((one) => one.id === id)) throw new Error('The message is not listed yet.')
      await answer(thread, all)
    }
  }
  createServer((request, response) => {
    const parts = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const event = JSON.parse(Buffer.concat(parts).toString())
      // One after another, so that an event that comes again meanwhile finds what the first did.
      before = before
        .then(() => handle(event))
        .then(
          () => response.writeHead(200).end(),
          () => response.writeHead(503).end(),
        )
    })
  }).listen(Number(PORT), '127.0.0.1')
  await round().catch((error) => process.stderr.write(`${error}\n`))
}
