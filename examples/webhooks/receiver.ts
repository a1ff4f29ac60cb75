/**
 * Receives webhook deliveries in every form that the interface allows. It verifies them, responds with
 * 200 immediately, and then processes each event once. It reads what happened from the service, not from the body.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

const { MAILBOX_BASE_URL, MAILBOX_API_KEY = 'test-key', PORT = '8787' } = process.env
// Choose a path that cannot be guessed, because deliveries may have neither a token nor a signature.
const { WEBHOOK_PATH = '/hook', WEBHOOK_TOKEN, WEBHOOK_SECRET } = process.env
// When you know what the service sends, refuse deliveries without it: WEBHOOK_REQUIRE=token,signature
const { WEBHOOK_REQUIRE = '', WEBHOOK_TOLERANCE = '300' } = process.env
const maxBody = 1024 * 1024

interface MailEvent {
  type: string
  messageId: string
  threadId: string
}

/** Thrown to answer a delivery with this status instead of 200. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** Returns the first value of a header field. */
function field(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Compares in constant time, so that the duration does not reveal how much is equal. */
function same(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

/** Compares the token, if there is one. @throws Refusal */
function checkToken(headers: IncomingHttpHeaders): void {
  const bearer = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1]
  const token = bearer ?? field(headers, 'x-auth-token')
  if (token === undefined) {
    if (WEBHOOK_REQUIRE.includes('token')) throw new Refusal(401, 'no token')
  } else if (WEBHOOK_TOKEN && !same(token, WEBHOOK_TOKEN)) throw new Refusal(401, 'wrong token')
}

/** Verifies the signature over the exact bytes of the body, if there is one. @throws Refusal */
function checkSignature(headers: IncomingHttpHeaders, body: Buffer): void {
  const signature = standardSignature(headers) ?? timestampedSignature(headers)
  if (signature === undefined) {
    if (WEBHOOK_REQUIRE.includes('signature')) throw new Refusal(401, 'no signature')
    return
  }
  if (!WEBHOOK_SECRET) return
  const { key, encoding, signed, timestamp, candidates } = signature
  const expected = createHmac('sha256', key(WEBHOOK_SECRET)).update(signed).update(body).digest(encoding)
  if (!candidates.some((candidate) => same(candidate, expected))) throw new Refusal(401, 'wrong signature')
  // An old delivery with a correct signature may have been recorded by an attacker who sends it again.
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= Number(WEBHOOK_TOLERANCE))) throw new Refusal(401, 'signed too long ago')
}

interface Signature {
  key: (secret: string) => Buffer
  encoding: 'base64' | 'hex'
  /** The text that is signed before the body. */
  signed: string
  timestamp: string
  candidates: string[]
}

/** Standard Webhooks: `webhook-signature: v1,<base64> v1,<base64>`, with an id and a time in other headers. */
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

/** Returns the type and the ids of the event in a body, in any of the possible structures. @throws Refusal */
function eventOf(body: Buffer): MailEvent {
  let envelope: Record<string, unknown>
  try {
    envelope = object(JSON.parse(body.toString())) ?? {}
  } catch {
    throw new Refusal(400, 'the body is not JSON')
  }
  const data = object(envelope['data']) ?? envelope
  const message = object(data['message']) ?? {}
  const type = envelope['event'] ?? envelope['type']
  const messageId = data['message_id'] ?? message['id']
  const threadId = data['thread_id'] ?? message['thread_id']
  // Not 200, because the service would then assume that the event has been received.
  if (typeof type !== 'string' || typeof messageId !== 'string' || typeof threadId !== 'string')
    throw new Refusal(400, 'the body lacks the type of the event or the ids of the message and its thread')
  return { type, messageId, threadId }
}

function object(value: unknown): Record<string, unknown> | undefined {
  return value && typeof value === 'object' ? { ...value } : undefined
}

/** Reads the bytes of a body. @throws Refusal */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = new Refusal(413, 'the body is too large')
  if (Number(request.headers['content-length']) > maxBody) throw tooLarge
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBody) throw tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The type and message of each received event. A real program would store them persistently. */
const received = new Set<string>()
let work = Promise.resolve()

/** Queues an event, unless it has been received before. */
function enqueue(event: MailEvent): void {
  const name = `${event.type} ${event.messageId}`
  if (received.has(name)) return
  received.add(name)
  work = work.then(() => handle(event)).catch((error) => console.error(`${name}: ${error}`))
}

/** Your own code. Here it prints what happened to which message, as the service shows it. */
async function handle({ type, messageId, threadId }: MailEvent): Promise<void> {
  if (!MAILBOX_BASE_URL) return console.log(`${type}: ${messageId}`)
  const query = new URLSearchParams({ thread_id: threadId, limit: '100' })
  const headers = { Authorization: `Bearer ${MAILBOX_API_KEY}` }
  const answer = await fetch(`${MAILBOX_BASE_URL}/api/v1/mail/messages?${query}`, { headers })
  if (!answer.ok) throw new Error(`the messages of ${threadId} were answered ${answer.status}`)
  const { messages } = (await answer.json()) as { messages: { id: string; from: string; subject: string }[] }
  const message = messages.find(({ id }) => id === messageId)
  if (!message) throw new Error('the service does not have this message')
  console.log(`${type}: ${messageId} from ${message.from}: ${message.subject}`)
}

const server = createServer(async (request, response) => {
  try {
    if (request.url?.split('?')[0] !== WEBHOOK_PATH) throw new Refusal(404, 'unknown path')
    if (request.method !== 'POST') throw new Refusal(405, 'unsupported method')
    checkToken(request.headers)
    const body = await bodyOf(request)
    checkSignature(request.headers, body)
    enqueue(eventOf(body))
    response.writeHead(200).end()
  } catch (error) {
    // Any other error is a broken connection or a mistake in this program: the service should try again.
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
