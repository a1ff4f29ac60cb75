/** An agent that reads its unread mail and shows the number of unread threads in its display name. */

import { setTimeout as sleep } from 'node:timers/promises'

const pageSize = 50

export function createAgent({ baseUrl, apiKey, handle, pause = () => sleep(1000) }) {
  async function request(path, options = {}) {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(`${baseUrl}/api/v1${path}`, { ...options, headers })
      if (answer.ok) return answer.json()
      if (answer.status !== 503 || attempt === 3) throw new Error(`${path}: ${answer.status}`)
    }
  }

  // A page that is not full is the last one; the interface does not define what `total` counts.
  async function unreadThreads() {
    const unread = []
    for (let offset = 0; ; offset += pageSize) {
      const query = new URLSearchParams({ agent: handle, limit: pageSize, offset })
      const { threads } = await request(`/mail/threads?${query}`)
      unread.push(...threads.filter((thread) => thread.unread))
      if (threads.length < pageSize) return unread
    }
  }

  // Sorted here, because the interface does not define the order of the list either.
  async function latestMessage(thread) {
    const { messages } = await request(`/mail/messages?thread_id=${thread.id}`)
    return messages.sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))[0]
  }

  /** Returns the unread threads, each with its latest message. */
  async function unreadMail() {
    const threads = await unreadThreads()
    return Promise.all(threads.map(async (thread) => ({ thread, message: await latestMessage(thread) })))
  }

  /** Shows the number of unread threads, and returns the texts of their latest messages by subject. */
  async function report(mail) {
    const name = { display_name: `Support (${mail.length} unread)` }
    await request(`/identities/${handle}`, { method: 'PATCH', body: JSON.stringify(name) })
    return Object.fromEntries(mail.map(({ thread, message }) => [thread.subject, message.text]))
  }

  const readMail = async () => report(await unreadMail())

  /** Reads the mail until a message is listed, which may be a little after its event. */
  async function readNews(messageId) {
    // A thread whose messages were read may be read from then on, so what was found is kept.
    const found = new Map()
    for (let attempt = 1; attempt <= 5; attempt++) {
      for (const mail of await unreadMail()) found.set(mail.thread.id, mail)
      if ([...found.values()].some(({ message }) => message.id === messageId)) break
      await pause()
    }
    return report([...found.values()])
  }

  return { readMail, readNews }
}
