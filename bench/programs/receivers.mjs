import { createServer } from 'node:http'

// Runs receivers of deliveries in their own process. Arguments: how many, and after how many requests each of them fails
// one. Sends their ports; then answers `counts` with the numbers of all and of accepted requests, and any other message
// with the requests by receiver.
const [count, failsEvery] = process.argv.slice(2).map(Number)
const counts = { requests: 0, accepted: 0 }
const received = Array.from({ length: count }, () => [])

const ports = await Promise.all(
  received.map(async (ids) => {
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const status = (ids.length + 1) % failsEvery === 0 ? 503 : 200
      const { id, data } = JSON.parse(body)
      ids.push({ id, agent: data.agent_handle })
      counts.requests++
      if (status === 200) counts.accepted++
      response.writeHead(status).end()
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    return server.address().port
  }),
)
process.on('disconnect', () => process.exit())
process.on('message', (asked) => process.send(asked === 'counts' ? counts : received))
process.send(ports)
