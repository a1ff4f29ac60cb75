// An agent that starts its server of tools itself, one for each round, and is told of new mail by it.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/stdio.js'

const [generation, program] = process.argv.slice(2)
const isModern = generation.includes('2026')

async function withTools(work) {
  const info = { name: 'agent', version: '1.0.0' }
  const options = isModern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}
  const [Kind, Transport] = generation === 'sdk 1' ? [Client1, Transport1] : [Client, StdioClientTransport]
  const client = new Kind(info, options)
  const args = [program, 'mcp', '--extend', 'common']
  // The official clients pass on only some variables unless they are told to.
  await client.connect(new Transport({ command: process.execPath, args, env: process.env }))
  const call = async (name, input) => (await client.callTool({ name, arguments: input })).structuredContent
  try {
    return await work({ client, call })
  } finally {
    await client.close()
  }
}

const unknown = await withTools(({ client }) => {
  return client.callTool({ name: 'no_such_tool', arguments: {} }).then(
    () => undefined,
    (error) => error.message,
  )
})
if (!unknown.includes('There is no tool')) throw new Error(unknown)
await withTools(async ({ client, call }) => {
  if (!client.getInstructions().includes('Your task: Answer Ann.')) throw new Error(client.getInstructions())
  const { contents } = await client.readResource({ uri: 'mailbox:///support' })
  if (contents.length !== 1) throw new Error(JSON.stringify(contents))
  for (;;) {
    const { threads } = await call('threads_list', { agent: 'support' })
    if (threads.length > 0) break
    await new Promise((resolve) => setTimeout(resolve, 60_000))
  }
})
await withTools(async ({ call }) => {
  const { threads } = await call('threads_list', { agent: 'support' })
  const { messages } = await call('messages_list', { thread_id: threads[0].id })
  await call('messages_reply', { message_id: messages[0].id, text: 'You get 249.00 € back.' })
})
