// Asks its model in every round, whether or not it has found anything.
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key, MODEL } = process.env
for (;;) {
  const threads = await fetch(`${base}/api/v1/mail/threads?agent=support`, {
    headers: { authorization: `Bearer ${key}` },
  })
  await fetch(MODEL, { method: 'POST', body: await threads.text() })
  await new Promise((resolve) => setTimeout(resolve, 10_000))
}
