import { identityPath, type Mailbox, messagesPath } from '../conformance/mailbox.js'
import type { Asked } from './gap-case.js'

/** Asks for the identity of eva. */
export const askForEva: Asked = { path: identityPath('eva') }

/** Updates an identity. */
export function update(handle: string, fields: unknown, type = 'application/json'): Asked {
  const headers = { 'content-type': type }
  return { method: 'PATCH', path: identityPath(handle), headers, body: JSON.stringify(fields) }
}

/** Requests the messages of a thread by its subject, optionally for an agent. */
export function messagesOf(subject: string, agent?: string): (mailbox: Mailbox) => Promise<Asked> {
  return async (mailbox) => {
    const { id } = await mailbox.thread(subject)
    return { path: messagesPath({ thread_id: id, ...(agent !== undefined && { agent }) }) }
  }
}

/** Fetches the photo of the lamp by its URL. */
export async function fetchPhoto(mailbox: Mailbox): Promise<Asked> {
  const [message] = await mailbox.messagesOf('Broken lamp')
  return { path: message?.attachments[0]?.url?.slice(mailbox.baseUrl.length) ?? '' }
}
