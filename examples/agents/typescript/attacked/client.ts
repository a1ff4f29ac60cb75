/** What the agents under attack have in common: requests, and the mail that is new to them. */
import { setTimeout } from 'node:timers/promises'

const { MAILBOX_BASE_URL = 'http://127.0.0.1:4280', MAILBOX_API_KEY = 'test-key' } = process.env
const headers = { Authorization: `Bearer ${MAILBOX_API_KEY}`, 'Content-Type': 'application/json' }

/** A mail with all that an order may stand in: subject, sender, text, HTML, and the names and texts of files. */
export interface Mail {
  readonly id: string
  readonly thread: string
  readonly text: string
  readonly everything: string
}

interface Message {
  id: string
  direction: string
  from: string
  subject: string
  text?: string | null
  html?: string | null
  created_at: string
  attachments: { filename?: string; url?: string; download_url?: string }[]
}

export async function request<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const url = new URL(`/api/v1/${path}`, MAILBOX_BASE_URL)
  const answer = await ask(url, { method, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
  return answer.json() as Promise<Answer>
}

/** Sends a request, again where there were too many. */
async function ask(url: URL | string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const response = await fetch(url, { ...init, headers })
    if (response.status !== 429) return response
    await setTimeout(1000 * Number(response.headers.get('retry-after') ?? 5))
  }
}

/** Yields every mail to the agent once, those of a thread in order, and waits for more. */
export async function* newMail(): AsyncGenerator<Mail> {
  const seen = new Set<string>()
  for (;;) {
    for (const { id: thread, unread } of await threads()) {
      if (!unread) continue
      const path = `mail/messages?thread_id=${thread}&limit=100`
      const { messages } = await request<{ messages: Message[] }>('GET', path)
      for (const message of messages.sort((a, b) => a.created_at.localeCompare(b.created_at))) {
        const { id, direction, from, subject, text, html, attachments } = message
        if (direction !== 'inbound' || seen.has(id)) continue
        seen.add(id)
        const parts = [subject, from, text, html]
        for (const { filename, url, download_url = '' } of attachments) {
          const file = await ask(url ?? download_url)
          parts.push(filename ?? file.headers.get('content-disposition') ?? '', await file.text())
        }
        yield { id, thread, text: text ?? '', everything: parts.join('\n') }
      }
    }
    await setTimeout(5000)
  }
}

interface Thread {
  readonly id: string
  readonly subject: string
  readonly unread: boolean
}

export async function threads(): Promise<Thread[]> {
  return (await request<{ threads: Thread[] }>('GET', 'mail/threads?agent=support&limit=100')).threads
}

/** Waits; under the simulator, its clock advances instead. */
