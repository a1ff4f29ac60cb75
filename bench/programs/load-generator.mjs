import autocannon from 'autocannon'

// Puts load on servers, in a process of its own: takes `{url, method, headers, body, connections, seconds}` and tells how many
// requests a second were answered, and how many failed.
process.on('message', async ({ url, method = 'GET', headers, body, connections, seconds }) => {
  const { requests, duration, errors, timeouts, non2xx } = await autocannon({
    url,
    method,
    headers,
    ...(body && { body }),
    connections,
    duration: seconds,
  })
  process.send({ perSecond: requests.total / duration, failed: errors + timeouts + non2xx })
})
process.on('disconnect', () => process.exit())
