/** Where threads are listed. */
export const threadsPath = '/api/v1/mail/threads'

/** The headers of an agent's request. */
export const headers = { authorization: 'Bearer test-key' }

/** A scenario with one mailbox of at least so many messages. */
export function mailboxOf(messages) {
  return {
    scenario: `mailbox-of-${messages}`,
    identities: [{ handle: 'agent', generate: { threads: Math.ceil(messages / 4), messages: [1, 8] } }],
  }
}

/** A request as an agent makes it. */
export function requestTo(path, baseUrl = 'http://mailbox.test') {
  return new Request(`${baseUrl}${path}`, { headers })
}

/** Why there is no figure, and what to do; for a person, without a stack trace. The exit status is 2 for wrong usage. */
export class CannotMeasure extends Error {
  constructor(message, exitStatus = 1) {
    super(message)
    this.exitStatus = exitStatus
  }
}
