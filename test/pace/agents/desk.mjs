// What every Node agent here does: it replies to mail about refunds, after a question to its model.

export const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key, MODEL = '', PORT = '8787' } = process.env
export const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds))

/** Sends a request to the service by `fetch`; tries again as long as the service is unavailable. */
export async function call(path, body) {
  for (;;) {
    const options = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const response = await fetch(`${base}/api/v1/${path}`, { headers, ...options })
    if (response.ok) return response.json()
    if (response.status !== 503) throw new Error(`${response.status} ${await response.text()}`)
    await response.text()
    await pause(Number(response.headers.get('retry-after') ?? 1))
  }
}

let questions = 0

/** Asks the model by `fetch`; no two questions are equal, as with one that is told what came before. */
export async function think() {
  questions += 1
  const response = await fetch(MODEL, { method: 'POST', body: JSON.stringify({ question: questions }) })
  await response.text()
}

/** Returns what to write to a customer; null if there is nothing to say. */
export function replyTo(messages) {
  const texts = messages.map(({ text }) => (text ?? '').split(/^On .* wrote:$/m)[0])
  const said = texts.join('\n')
  if (!/refund|money back/.test(said) || texts.at(-1).includes('Thank you')) return null
  const price = /EUR (\d+\.\d\d)/.exec(said)
  if (!/order \d+/.test(said) || !price) return 'What is your order number, and what did you pay?'
  return `You will have EUR ${price[1]} back tomorrow.`
}

/** Returns a function that returns the threads to which nobody has reacted yet, as their received messages. */
export function inbox() {
  const handled = new Set()
  return async function* () {
    const { threads } = await call('mail/threads?agent=support')
    for (const { id } of threads) {
      const { messages } = await call(`mail/messages?thread_id=${id}&limit=100`)
      const received = messages.filter(({ direction }) => direction === 'inbound')
      received.sort((one, other) => (one.created_at < other.created_at ? -1 : 1))
      const last = received.at(-1)
      if (!last || handled.has(last.id)) continue
      handled.add(last.id)
      yield received
    }
  }
}

/** Reacts to everything that is new. */
export function desk(consider = think) {
  const news = inbox()
  return async () => {
    for await (const received of news()) {
      await consider()
      const text = replyTo(received)
      if (text) await call(`mail/messages/${received.at(-1).id}/reply`, { text })
    }
  }
}
