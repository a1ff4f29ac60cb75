import { ChatOpenAI } from '@langchain/openai'
import { MCPAgent, MCPClient } from 'mcp-use'
import { pause, startModel, task } from './stand-in-model.mjs'

const { MAILBOX_MCP_URL: url, MAILBOX_API_KEY: key } = process.env
const client = MCPClient.fromDict({
  mcpServers: { mailbox: { url, headers: { Authorization: `Bearer ${key}` } } },
})
const llm = new ChatOpenAI({
  model: 'stand-in',
  apiKey: 'none',
  configuration: { baseURL: await startModel() },
})
const agent = new MCPAgent({
  llm,
  client,
  maxSteps: 30,
  memoryEnabled: false,
  systemPrompt: 'You answer customers.',
})
for (;;) {
  await agent.run(task)
  await pause(10)
}
