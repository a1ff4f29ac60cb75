// An agent that has no HTTP client of its own: it replies to the first unread thread with tools.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { MAILBOX_MCP_URL, MAILBOX_API_KEY } = process.env
const client = new Client({ name: 'agent', version: '1.0.0' })
const requestInit = { headers: { authorization: `Bearer ${MAILBOX_API_KEY}` } }
await client.connect(new StreamableHTTPClientTransport(new URL(MAILBOX_MCP_URL), { requestInit }))
const call = async (name, input) => (await client.callTool({ name, arguments: input })).structuredContent
for (;;) {
  const { threads } = await call('threads_list', { agent: 'support' })
  const thread = threads.find(({ unread }) => unread)
  if (thread) {
    const { messages } = await call('messages_list', { thread_id: thread.id })
    await call('messages_reply', { message_id: messages[0].id, text: 'You get 249.00 back.' })
    break
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
}
await client.close()
