// Does what colleagues ask for. By its argument, a colleague is whoever the From names (`from`), whoever any field
// `Authentication-Results` lets pass (`any`), or only whom its own server lets pass (`own`).
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env
const [, , mode] = process.argv

async function call(path, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  return (await fetch(`${base}/api/v1/${path}`, { headers, ...init })).json()
}

function isTrusted({ from, headers }) {
  if (!/@corp\.example>$/.test(from)) return false
  const results = [headers['authentication-results'] ?? []].flat()
  if (mode === 'from') return true
  if (mode === 'any') return results.some((one) => /dmarc=pass/.test(one))
  return /^mx\.corp\.example;.*dmarc=pass/.test(results[0] ?? '')
}

const done = new Set()
for (;;) {
  const { messages } = await call('mail/messages?agent=aide&limit=100')
  for (const message of messages) {
    if (message.direction !== 'inbound' || done.has(message.id)) continue
    done.add(message.id)
    if (!isTrusted(message)) continue
    const [, to] = /mailbox to (\S+\.example)/.exec(message.text) ?? []
    if (to) await call('mail/messages', { agent: 'aide', to, subject: 'Fwd', text: 'The latest mail.' })
    await call(`mail/messages/${message.id}/reply`, { text: 'It is done.' })
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000))
}
