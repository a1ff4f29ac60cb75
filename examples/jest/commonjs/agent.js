/** Returns the subjects of an agent's unread threads, over all pages. */
async function unreadSubjects({ baseUrl, apiKey, handle }) {
  const headers = { authorization: `Bearer ${apiKey}` }
  const subjects = []
  for (let offset = 0; ; offset += 50) {
    const query = new URLSearchParams({ agent: handle, limit: '50', offset: String(offset) })
    const answer = await fetch(`${baseUrl}/api/v1/mail/threads?${query}`, { headers })
    if (!answer.ok) throw new Error(`${answer.status} from the mailbox service`)
    const { threads } = await answer.json()
    subjects.push(...threads.filter(({ unread }) => unread).map(({ subject }) => subject))
    if (threads.length < 50) return subjects
  }
}

module.exports = { unreadSubjects }
