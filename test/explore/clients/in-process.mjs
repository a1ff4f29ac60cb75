// A test that has the simulator in its own process, as with Vitest or Jest.
const { listen } = await import(process.env.PACKAGE)

const assumptions = process.env.OWN_ASSUMPTIONS
const mailbox = await listen({ scenario: 'support-desk', ...(assumptions && { assumptions }) })
const headers = { authorization: `Bearer ${mailbox.apiKey}` }
const answer = await fetch(`${mailbox.baseUrl}/api/v1/mail/threads?agent=support&limit=10`, { headers })
const { total } = await answer.json()
mailbox.close()
if (total < 150) throw new Error(`expected the desk to have more than ${total} threads`)
