/**
 * Receives webhook deliveries in whichever of the shapes that the interface leaves open they come: proves them, answers
 * 200 at once, and works afterwards, once for each event. What happened it reads from the service, not from the body.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

const { MAILBOX_BASE_URL, MAILBOX_API_KEY = 'test-key', PORT = '8787' } = process.env
// A path that nobody can guess, since a delivery may come with neither token nor signature.
const { WEBHOOK_PATH = '/hook', WEBHOOK_TOKEN, WEBHOOK_SECRET } = process.env
// Once you know what the service sends, refuse what comes without: WEBHOOK_REQUIRE=token,signature
const { WEBHOOK_REQUIRE = '', WEBHOOK_TOLERANCE = '300' } = process.env
const largestBody = 1024 * 1024

interface MailEvent {
  type: string
  messageId: string
  threadId: string
}

/** A delivery that is answered with this status instead of 200. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** A field of the header that comes once. */
function field(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Compares in a time that does not tell how much is equal. */
function same(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

/** Compares the token, where one comes. @throws Refusal */
function checkToken(headers: IncomingHttpHeaders): void {
  const bearer = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1]
  const token = bearer ?? field(headers, 'x-auth-token')
  if (token === undefined) {
    if (WEBHOOK_REQUIRE.includes('token')) throw new Refusal(401, 'no token')
  } else if (WEBHOOK_TOKEN && !same(token, WEBHOOK_TOKEN)) throw new Refusal(401, 'wrong token')
}

/** Verifies the signature over the very bytes of the body, where one comes. @throws Refusal */
function checkSignature(headers: IncomingHttpHeaders, body: Buffer): void {
  const signature = standardSignature(headers) ?? timestampedSignature(headers)
  if (signature === undefined) {
    if (WEBHOOK_REQUIRE.includes('signature')) throw new Refusal(401, 'no signature')
    return
  }
  if (!WEBHOOK_SECRET) return
  const { key, encoding, signed, timestamp, candidates } = signature
  const right = createHmac('sha256', key(WEBHOOK_SECRET)).update(signed).update(body).digest(encoding)
  if (!candidates.some((candidate) => same(candidate, right))) throw new Refusal(401, 'wrong signature')
  // An old delivery with a right signature is one that somebody has recorded and sends again.
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= Number(WEBHOOK_TOLERANCE))) throw new Refusal(401, 'signed too long ago')
}

interface Signature {
  key: (secret: string) => Buffer
  encoding: 'base64' | 'hex'
  /** What is signed before the body. */
  signed: string
  timestamp: string
  candidates: string[]
}

/** Standard Webhooks: `webhook-signature: v1,<base64> v1,<base64>` with an id and a time beside it. */
function standardSignature(headers: IncomingHttpHeaders): Signature | undefined {
  const signatures = field(headers, 'webhook-signature')
  if (signatures === undefined) return undefined
  const timestamp = field(headers, 'webhook-timestamp') ?? ''
  return {
    key: (secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'),
    encoding: 'base64',
    signed: `${field(headers, 'webhook-id')}.${timestamp}.`,
    timestamp,
    candidates: signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : [])),
  }
}

/** The other scheme: `x-webhook-signature: t=<seconds>,v1=<hexadecimal>`. */
function timestampedSignature(headers: IncomingHttpHeaders): Signature | undefined {
  const parts = field(headers, 'x-webhook-signature')?.split(',')
  if (parts === undefined) return undefined
  const values = (name: string) =>
    parts.flatMap((part) => (part.startsWith(name) ? [part.slice(name.length)] : []))
  const timestamp = values('t=')[0] ?? ''
  return {
    key: (secret) => Buffer.from(secret),
    encoding: 'hex',
    signed: `${timestamp}.`,
    timestamp,
    candidates: values('v1='),
  }
}

/** The event in a body: its type and its ids, whatever they are wrapped in. @throws Refusal */
function eventOf(body: Buffer): MailEvent {
  let envelope: Record<string, unknown>
  try {
    envelope = object(JSON.parse(body.toString())) ?? {}
  } catch {
    throw new Refusal(400, 'a body that is no JSON')
  }
  const data = object(envelope['data']) ?? envelope
  const message = object(data['message']) ?? {}
  const type = envelope['event'] ?? envelope['type']
  const messageId = data['message_id'] ?? message['id']
  const threadId = data['thread_id'] ?? message['thread_id']
  // Not 200, which would have the service believe that somebody knows of the event.
  if (typeof type !== 'string' || typeof messageId !== 'string' || typeof threadId !== 'string')
    throw new Refusal(400, 'a body without the type of an event and the ids of a message and its thread')
  return { type, messageId, threadId }
}

function object(value: unknown): Record<string, unknown> | undefined {
  return value && typeof value === 'object' ? { ...value } : undefined
}

/** The bytes of a body. @throws Refusal */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = new Refusal(413, 'a body that is too large')
  if (Number(request.headers['content-length']) > largestBody) throw tooLarge
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > largestBody) throw tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Type and message of the events that were taken. Another program keeps them where they outlive it. */
const taken = new Set<string>()
let work = Promise.resolve()

/** Takes an event that has not been taken before, and works on it when it is its turn. */
function take(event: MailEvent): void {
  const name = `${event.type} ${event.messageId}`
  if (taken.has(name)) return
  taken.add(name)
  work = work.then(() => handle(event)).catch((error) => console.error(`${name}: ${error}`))
}

/** Your work: here, it says what happened to which message, as the service shows it. */
async function handle({ type, messageId, threadId }: MailEvent): Promise<void> {
  if (!MAILBOX_BASE_URL) return console.log(`${type}: ${messageId}`)
  const query = new URLSearchParams({ thread_id: threadId, limit: '100' })
  const headers = { Authorization: `Bearer ${MAILBOX_API_KEY}` }
  const answer = await fetch(`${MAILBOX_BASE_URL}/api/v1/mail/messages?${query}`, { headers })
  if (!answer.ok) throw new Error(`the messages of ${threadId} were answered ${answer.status}`)
  const { messages } = (await answer.json()) as { messages: { id: string; from: string; subject: string }[] }
  const message = messages.find(({ id }) => id === messageId)
  if (!message) throw new Error('the service knows no such message')
  console.log(`${type}: ${messageId} from ${message.from}: ${message.subject}`)
}

const server = createServer(async (request, response) => {
  try {
    if (request.url?.split('?')[0] !== WEBHOOK_PATH) throw new Refusal(404, 'another path')
    if (request.method !== 'POST') throw new Refusal(405, 'another method')
    checkToken(request.headers)
    const body = await bodyOf(request)
    checkSignature(request.headers, body)
    take(eventOf(body))
    response.writeHead(200).end()
  } catch (error) {
    // What is no refusal is a connection that broke off, or a mistake in here: the service is to try again.
    const status = error instanceof Refusal ? error.status : 500
    console.error(`refused: ${error}`)
    response.writeHead(status, { Connection: 'close' }).end()
  }
})

server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : PORT
  console.log(`listening on http://127.0.0.1:${port}${WEBHOOK_PATH}`)
})
