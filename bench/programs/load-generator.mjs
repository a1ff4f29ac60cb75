import autocannon from 'autocannon'

// Puts load on servers, in its own process. Receives `{url, method, headers, body, connections, seconds}` and sends how
// many requests per second were answered, and how many failed.
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
