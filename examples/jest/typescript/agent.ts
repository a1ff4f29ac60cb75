/** Where an agent reads its mail. */
export interface AgentOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly handle: string
}

interface ThreadPage {
  readonly threads: readonly { readonly subject: string; readonly unread: boolean }[]
}

/** Returns the subjects of an agent's unread threads, over all pages. */
export async function unreadSubjects({ baseUrl, apiKey, handle }: AgentOptions): Promise<string[]> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const subjects: string[] = []
  for (let offset = 0; ; offset += 50) {
    const query = new URLSearchParams({ agent: handle, limit: '50', offset: String(offset) })
    const answer = await fetch(`${baseUrl}/api/v1/mail/threads?${query}`, { headers })
    if (!answer.ok) throw new Error(`${answer.status} from the mailbox service`)
    const { threads } = (await answer.json()) as ThreadPage
    subjects.push(...threads.filter(({ unread }) => unread).map(({ subject }) => subject))
    if (threads.length < 50) return subjects
  }
}
