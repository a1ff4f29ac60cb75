// Sends more requests than a limit allows, and waits as long as it is told; the time of its story passes before the last.
const { MAILBOX_BASE_URL: url, MAILBOX_API_KEY: key, MAILBOX_SIM_URL: sim } = process.env
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const ask = () => fetch(`${url}/api/v1/identities/support`, { headers })

for (let count = 0; count < 60; count++) await (await ask()).text()
await fetch(`${sim}/clock`, { method: 'POST', headers, body: '{"advance":"58s"}' })
for (let attempt = 1; ; attempt++) {
  const answer = await ask()
  if (answer.ok) break
  if (attempt === 3) throw new Error(`answered ${answer.status}`)
  await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get('retry-after'))))
}
