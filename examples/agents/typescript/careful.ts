/**
 * A mail-reading agent that does not rely on anything that the interface leaves open. In each round it looks for refunds
 * that are waiting, and writes their number into the description of its identity.
 *
 * A refund is waiting while the latest message in its thread is from the customer.
 */

const { MAILBOX_BASE_URL = 'http://127.0.0.1:4280', MAILBOX_API_KEY = 'test-key' } = process.env
const handle = 'support'
const pageSize = 50

interface Thread {
  id: string
  subject: string
  message_count: number
  last_message_at: string
}

interface Message {
  direction: string
  text?: string | null
  html?: string | null
  attachments: { url?: string; download_url?: string }[]
  created_at: string
}

interface Refund {
  amount: number
  receipt: boolean
  since: number
}

/** The threads by id, kept between rounds: new mail may move a thread to a page that has already been read. */
const threads = new Map<string, Thread>()
/** The stamp and the refund of each thread; a thread is read again when its stamp changes. */
const known = new Map<string, { stamp: string; refund: Refund | undefined }>()
let reported = ''

/** Sends a request, and repeats it while the service is busy or a response is lost; also returns a response with status 404. */
async function request(address: string, options: RequestInit = {}): Promise<Response> {
  const url = new URL(address, MAILBOX_BASE_URL)
  const headers = new Headers({ 'Content-Type': 'application/json' })
  // Files may be on another host, which must not receive the key.
  if (url.origin === new URL(MAILBOX_BASE_URL).origin)
    headers.set('Authorization', `Bearer ${MAILBOX_API_KEY}`)
  for (let attempt = 1; ; attempt++) {
    const response = await answered(url, { ...options, headers })
    if (response?.ok || response?.status === 404) return response
    const isBusy = !response || [429, 502, 503, 504].includes(response.status)
    if (!isBusy || attempt === 5) throw new Error(`${url.pathname} got ${response?.status ?? 'no response'}`)
    await pause(response ? waitOf(response) : attempt * 1000)
  }
}

/** Returns a whole response; undefined if none came, or only a part of one. */
async function answered(url: URL, options: RequestInit): Promise<Response | undefined> {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(10_000) })
    return new Response(await response.arrayBuffer(), response)
  } catch {
    return undefined
  }
}

/** Returns how long to wait before a retry, in milliseconds: as long as the service says, or else a second. */
function waitOf(response: Response): number {
  const after = response.headers.get('Retry-After') ?? '1'
  const wait = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now()
  return Math.max(wait || 1000, 100)
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Requests a list from the service; returns an empty list for 404. */
async function list<Item>(name: string, query: Record<string, string | number>): Promise<Item[]> {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, `${value}`]))
  const response = await request(`/api/v1/mail/${name}?${search}`)
  return response.ok ? (await response.json())[name] : []
}

/** Reads all pages. A page that is not full is the last one; `total` may count anything. */
async function readThreads(): Promise<void> {
  for (let offset = 0; ; offset += pageSize) {
    const page = await list<Thread>('threads', { agent: handle, limit: pageSize, offset })
    for (const thread of page) threads.set(thread.id, thread)
    if (page.length < pageSize) return
  }
}

/** Returns the refund that a thread is waiting for; undefined if the latest message is not from the customer. */
async function refundOf({ id, message_count }: Thread): Promise<Refund | undefined> {
  const messages = await list<Message>('messages', { thread_id: id, limit: 100 })
  if (messages.length < message_count)
    console.error(`${id}: only ${messages.length} of ${message_count} messages`)
  messages.sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))
  const [newest] = messages
  // The value of the other direction is not documented, so this compares with `inbound`.
  if (newest?.direction !== 'inbound') return undefined
  const customers = messages.filter(({ direction }) => direction === 'inbound')
  const amounts = customers.map((message) => /EUR\s*(\d+\.\d\d)/.exec(wordsOf(message))?.[1])
  return {
    amount: Number(amounts.find((amount) => amount !== undefined) ?? 0),
    receipt: await hasReceipt(customers),
    since: Date.parse(newest.created_at),
  }
}

/** Returns the text of a message, or else its HTML without the tags. */
function wordsOf({ text, html }: Message): string {
  return text || (html ?? '').replace(/<[^>]*>/g, ' ').replaceAll('&nbsp;', ' ')
}

/** Returns whether a PDF is attached. An entry may only have the URL of the file, so the file's own type counts. */
async function hasReceipt(messages: Message[]): Promise<boolean> {
  for (const { url, download_url } of messages.flatMap(({ attachments }) => attachments)) {
    const address = url ?? download_url
    if (address === undefined) continue
    const file = await request(address)
    await file.body?.cancel()
    if (file.headers.get('Content-Type')?.startsWith('application/pdf')) return true
  }
  return false
}

/** Returns the refunds that are waiting; reads only threads that have changed. */
async function waitingRefunds(): Promise<Refund[]> {
  const refunds: Refund[] = []
  await readThreads()
  for (const thread of threads.values()) {
    if (!/refund/i.test(thread.subject)) continue
    const stamp = `${thread.message_count} ${thread.last_message_at}`
    if (known.get(thread.id)?.stamp !== stamp) known.set(thread.id, { stamp, refund: await refundOf(thread) })
    const refund = known.get(thread.id)?.refund
    if (refund) refunds.push(refund)
  }
  return refunds
}

function describe(refunds: Refund[]): string {
  if (refunds.length === 0) return 'Refunds waiting: 0'
  const receipts = refunds.filter(({ receipt }) => receipt).length
  const sum = refunds.reduce((total, { amount }) => total + amount, 0).toFixed(2)
  const oldest = new Date(Math.min(...refunds.map(({ since }) => since))).toISOString().slice(0, 10)
  return `Refunds waiting: ${refunds.length}, receipts: ${receipts}, EUR ${sum}, since ${oldest}`
}

/** Runs one round: updates the description if it has changed. */
async function round(): Promise<void> {
  const description = describe(await waitingRefunds())
  if (description === reported) return
  const update = { method: 'PATCH', body: JSON.stringify({ description }) }
  const response = await request(`/api/v1/identities/${handle}`, update)
  if (!response.ok) throw new Error(`There is no agent ${handle}.`)
  reported = description
  console.log(description)
}

const once = process.argv.includes('--once')
do {
  try {
    await round()
  } catch (error) {
    // The next round may succeed; without one, the exit status reports the failure.
    console.error(`${error}`)
    if (once) process.exitCode = 1
  }
  if (!once) await pause(1000)
} while (!once)
