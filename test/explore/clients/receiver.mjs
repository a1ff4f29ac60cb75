// Receives an event at a port of its own, which no two runs can have at a time.
import { createServer } from 'node:http'

const { PORT, MAILBOX_SIM_URL } = process.env
const delivered = new Promise((resolve, reject) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end(() => resolve(server))
    })
  })
  server.on('error', reject).listen(Number(PORT), '127.0.0.1', async () => {
    const mail = { to: 'support', from: 'Ann <ann@example.com>', subject: 'Hello', text: 'Hello' }
    const headers = { 'content-type': 'application/json' }
    await fetch(`${MAILBOX_SIM_URL}/messages`, { method: 'POST', headers, body: JSON.stringify(mail) })
  })
})
const server = await delivered
// A moment in which another run would find the port taken.
setTimeout(() => {
  server.close()
  server.closeAllConnections()
}, 300)
