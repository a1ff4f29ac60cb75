/** An agent that reads its unread mail and shows the number of unread threads in its display name. */

const pageSize = 50

export function createAgent({ baseUrl, apiKey, handle }) {
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

  /** Returns the latest message of every unread thread, by subject. */
  async function readMail() {
    const threads = await unreadThreads()
    const mail = {}
    for (const thread of threads) mail[thread.subject] = (await latestMessage(thread)).text
    const name = { display_name: `Support (${threads.length} unread)` }
    await request(`/identities/${handle}`, { method: 'PATCH', body: JSON.stringify(name) })
    return mail
  }

  return { readMail }
}
