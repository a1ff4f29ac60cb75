// Keeps running, and answers what is in the thread that is listed first whenever `total` has grown.
const { MAILBOX_BASE_URL: url, MAILBOX_API_KEY: key } = process.env
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const ask = async (path, init) => (await fetch(`${url}/api/v1/mail/${path}`, { headers, ...init })).json()

const answered = new Set()
for (let known = 0; ; await new Promise((resolve) => setTimeout(resolve, 5000))) {
  const { threads, total } = await ask('threads?agent=support&limit=1')
  if (total === known) continue
  known = total
  const { messages } = await ask(`messages?thread_id=${threads[0].id}`)
  for (const { id } of messages) {
    if (answered.has(id)) continue
    answered.add(id)
    await ask(`messages/${id}/reply`, { method: 'POST', body: JSON.stringify({ text: 'At nine.' }) })
  }
}
