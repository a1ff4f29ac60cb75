/** The path of the operation that lists threads. */
export const threadsPath = '/api/v1/mail/threads'

/** The headers of an agent's request. */
export const headers = { authorization: 'Bearer test-key' }

/** Returns a scenario with one mailbox of at least `messages` messages. */
export function mailboxOf(messages) {
  return {
    scenario: `mailbox-of-${messages}`,
    identities: [{ handle: 'agent', generate: { threads: Math.ceil(messages / 4), messages: [1, 8] } }],
  }
}

/** Returns a request like one of an agent. */
export function requestTo(path, baseUrl = 'http://mailbox.test') {
  return new Request(`${baseUrl}${path}`, { headers })
}

/** Thrown when something cannot be measured; shown without a stack trace. The exit status is 2 for wrong usage. */
export class CannotMeasure extends Error {
  constructor(message, exitStatus = 1) {
    super(message)
    this.exitStatus = exitStatus
  }
}
