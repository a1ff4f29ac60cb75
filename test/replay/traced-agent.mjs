// An agent that sends its trace: over HTTP, and with calls of tools. It writes which trace a delivery belongs to.
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { MAILBOX_BASE_URL, MAILBOX_MCP_URL, MAILBOX_API_KEY, SEEN } = process.env
const authorization = `Bearer ${MAILBOX_API_KEY}`
const traceparent = (span) => `00-${'a1'.repeat(16)}-${span.repeat(8)}-01`
const ask = (path, headers, init) =>
  fetch(`${MAILBOX_BASE_URL}/api/v1/${path}`, { ...init, headers: { authorization, ...headers } })

const delivered = Promise.withResolvers?.() ?? {}
delivered.promise ??= new Promise((resolve) => {
  delivered.resolve = resolve
})
const receiver = createServer((request, response) => {
  request.resume()
  response.end()
  delivered.resolve(request.headers.traceparent ?? '')
})
await new Promise((resolve) => receiver.listen(Number(process.env.PORT), '127.0.0.1', resolve))

await ask('mail/threads?agent=support&api_key=secret', { traceparent: traceparent('b1') })
await ask('mail/threads?agent=support', { traceparent: 'nonsense' })
const client = new Client({ name: 'agent', version: '1.0.0' })
await client.connect(
  new StreamableHTTPClientTransport(new URL(MAILBOX_MCP_URL), {
    requestInit: { headers: { authorization } },
  }),
)
const call = (name, input, span) =>
  client.callTool({ name, arguments: input, _meta: { traceparent: traceparent(span) } })
await call('messages_send', { agent: 'support', to: 'support@shop.example', text: 'A note.' }, 'c1')
await call('identities_get', { handle: 'nobody' }, 'd1')
await writeFile(SEEN, await delivered.promise)
await client.close()
receiver.close()
