import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { pause, startModel, task } from './stand-in-model.mjs'

const { MAILBOX_MCP_URL: url, MAILBOX_API_KEY: key } = process.env
const mailbox = new MultiServerMCPClient({
  mailbox: { transport: 'http', url, headers: { Authorization: `Bearer ${key}` } },
})
const model = new ChatOpenAI({
  model: 'stand-in',
  apiKey: 'none',
  configuration: { baseURL: await startModel() },
})
const agent = createAgent({ model, tools: await mailbox.getTools(), systemPrompt: 'You answer customers.' })
for (;;) {
  await agent.invoke({ messages: [{ role: 'user', content: task }] }, { recursionLimit: 60 })
  await pause(10)
}
