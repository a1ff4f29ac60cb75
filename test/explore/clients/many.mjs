// A test run with many simulators, one for each test.
const { listen } = await import(process.env.PACKAGE)

for (let count = 0; count < 20; count++) {
  const mailbox = await listen({ scenario: { scenario: 'one', identities: [{ handle: 'desk' }] } })
  const headers = { authorization: `Bearer ${mailbox.apiKey}` }
  await fetch(`${mailbox.baseUrl}/api/v1/identities/desk`, { headers })
  await fetch(`${mailbox.baseUrl}/api/v1/nothing`, { headers })
  mailbox.close()
}
