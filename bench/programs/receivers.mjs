import { createServer } from 'node:http'

// Runs so many receivers of deliveries, of which each fails at one request of so many, in a process of their own; tells
// their ports, and then what it is asked for: how many requests there were, and how many did not fail, or all of them
// by the receiver's place.
const [count, failsEvery] = process.argv.slice(2).map(Number)
const counts = { requests: 0, taken: 0 }
const told = Array.from({ length: count }, () => [])

const ports = await Promise.all(
  told.map(async (ids) => {
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const status = (ids.length + 1) % failsEvery === 0 ? 503 : 200
      const { id, data } = JSON.parse(body)
      ids.push({ id, agent: data.agent_handle })
      counts.requests++
      if (status === 200) counts.taken++
      response.writeHead(status).end()
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    return server.address().port
  }),
)
process.on('disconnect', () => process.exit())
process.on('message', (asked) => process.send(asked === 'counts' ? counts : told))
process.send(ports)
