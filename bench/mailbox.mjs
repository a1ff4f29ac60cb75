/** A scenario with one mailbox of about so many messages. */
export function mailboxOf(messages) {
  return {
    scenario: `mailbox-of-${messages}`,
    identities: [{ handle: 'agent', generate: { threads: Math.round(messages / 4.15), messages: [1, 8] } }],
  }
}

/** A request as an agent makes it. */
export function requestTo(path, baseUrl = 'http://mailbox.test') {
  return new Request(`${baseUrl}${path}`, { headers: { authorization: 'Bearer test-key' } })
}
