/**
 * An agent that replies to mail: it asks for the customer's order, then promises what she has paid. It replies to each
 * message once, and only in threads about a refund.
 */
import { setTimeout as pause } from 'node:timers/promises'

const { MAILBOX_BASE_URL = 'http://127.0.0.1:4280', MAILBOX_API_KEY = 'test-key' } = process.env
const handle = 'support'

interface Message {
  id: string
  direction: string
  text: string | null
  created_at: string
}

async function request<Body>(path: string, body?: object): Promise<Body> {
  const response = await fetch(new URL(`/api/v1/mail/${path}`, MAILBOX_BASE_URL), {
    headers: { Authorization: `Bearer ${MAILBOX_API_KEY}`, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path} got ${response.status}`)
  return response.json() as Promise<Body>
}

/** Returns only the new text: mail programs quote the earlier message below it. */
function withoutQuotation(text: string): string {
  return text.split(/^On .* wrote:$/m, 1)[0] ?? ''
}

/** Returns the reply to what a customer wrote, the latest last; undefined if there is nothing to say. */
function replyTo(texts: string[]): string | undefined {
  const said = texts.join('\n')
  if (!/refund|money back/.test(said) || texts.at(-1)?.includes('Thank you')) return undefined
  const price = /EUR (\d+\.\d\d)/.exec(said)?.[1]
  return /order \d+/.test(said) && price
    ? `You will have EUR ${price} back tomorrow.`
    : 'We are sorry about that. What is your order number, and what did you pay?'
}

const handled = new Set<string>()
for (;;) {
  const { threads } = await request<{ threads: { id: string }[] }>(`threads?agent=${handle}`)
  for (const { id } of threads) {
    const { messages } = await request<{ messages: Message[] }>(`messages?thread_id=${id}&limit=100`)
    // The order of messages and the name of the other direction are not documented.
    const received = messages
      .filter(({ direction }) => direction === 'inbound')
      .sort((a, b) => a.created_at.localeCompare(b.created_at))
    const latest = received.at(-1)
    if (!latest || handled.has(latest.id)) continue
    handled.add(latest.id)
    const text = replyTo(received.map((message) => withoutQuotation(message.text ?? '')))
    if (text) await request(`messages/${latest.id}/reply`, { text })
  }
  await pause(200)
}
