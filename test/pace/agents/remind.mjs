// Asks back, and reminds when nothing has come for a day by its own clock. Its requests have time-outs.
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env
async function call(path, body) {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const [method, signal] = [body ? 'POST' : 'GET', AbortSignal.timeout(20_000)]
  const response = await fetch(`${base}/api/v1/${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
    signal,
  })
  return response.json()
}
for (;;) {
  const { threads } = await call('mail/threads?agent=support')
  const { messages } = await call(`mail/messages?thread_id=${threads[0].id}`)
  messages.sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
  const [question, answer, ...more] = messages
  const isLate = answer && Date.now() - Date.parse(answer.created_at) > 86_400_000
  if (!answer) await call(`mail/messages/${question.id}/reply`, { text: 'Which order is it?' })
  else if (isLate && more.length === 0)
    await call(`mail/messages/${question.id}/reply`, { text: 'A reminder: which order is it?' })
  await new Promise((resolve) => setTimeout(resolve, 15_000))
}
