// Replies to each event that it gets, and looks nowhere else.
import { createServer } from 'node:http'

const [port] = process.argv.slice(2)
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env

createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const id = JSON.parse(body).data.message_id
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const url = `${base}/api/v1/mail/messages/${id}/reply`
  const { ok } = await fetch(url, { method: 'POST', headers, body: '{"text":"Yes."}' })
  response.writeHead(ok ? 204 : 500).end()
}).listen(Number(port), '127.0.0.1')
