/**
 * The same agent as it is often written: it works as long as the service behaves as on the day when it was written.
 * Some of its lines rely on points that the interface leaves open; `check` finds them.
 */

const { MAILBOX_BASE_URL = 'http://127.0.0.1:4280', MAILBOX_API_KEY = 'test-key' } = process.env
const handle = 'support'
const pageSize = 50

interface Thread {
  id: string
  subject: string
  last_message_at: string
}

interface Message {
  direction: string
  text: string
  html: string
  attachments: { filename: string; url: string }[]
}

async function request(address: string, options: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${MAILBOX_API_KEY}`, 'Content-Type': 'application/json' }
  return fetch(new URL(address, MAILBOX_BASE_URL), { ...options, headers })
}

async function allThreads(): Promise<Thread[]> {
  const threads: Thread[] = []
  let total = pageSize
  for (let offset = 0; offset < total; offset += pageSize) {
    const response = await request(`/api/v1/mail/threads?agent=${handle}&limit=${pageSize}&offset=${offset}`)
    const page: { threads: Thread[]; total: number } = await response.json()
    threads.push(...page.threads)
    total = page.total
  }
  return threads
}

async function messagesOf({ id }: Thread): Promise<Message[]> {
  const response = await request(`/api/v1/mail/messages?thread_id=${id}`)
  return (await response.json()).messages
}

function wordsOf({ text, html }: Message): string {
  return html.replace(/<[^>]*>/g, ' ').replaceAll('&nbsp;', ' ') || text
}

async function hasReceipt(messages: Message[]): Promise<boolean> {
  for (const { filename, url } of messages.flatMap(({ attachments }) => attachments)) {
    if (filename.endsWith('.pdf') && (await request(url)).ok) return true
  }
  return false
}

async function round(): Promise<void> {
  const waiting: Thread[] = []
  let receipts = 0
  let sum = 0
  for (const thread of await allThreads()) {
    if (!/refund/i.test(thread.subject)) continue
    const messages = await messagesOf(thread)
    if (messages[0]?.direction !== 'inbound') continue
    waiting.push(thread)
    if (await hasReceipt(messages)) receipts++
    const customers = messages.filter(({ direction }) => direction === 'inbound')
    const amounts = customers.map((message) => /EUR\s*(\d+\.\d\d)/.exec(wordsOf(message))?.[1])
    sum += Number(amounts.find((amount) => amount !== undefined) ?? 0)
  }
  const oldest = waiting.at(-1)?.last_message_at.slice(0, 10)
  const description = oldest
    ? `Refunds waiting: ${waiting.length}, receipts: ${receipts}, EUR ${sum.toFixed(2)}, since ${oldest}`
    : 'Refunds waiting: 0'
  await request(`/api/v1/identities/${handle}`, { method: 'PATCH', body: JSON.stringify({ description }) })
  console.log(description)
}

try {
  await round()
  while (!process.argv.includes('--once')) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await round()
  }
} catch (error) {
  console.error(`${error}`)
  process.exitCode = 1
}
