import { Agent } from '@mastra/core/agent'
import { MCPClient } from '@mastra/mcp'
import { pause, startModel, task } from './stand-in-model.mjs'

const { MAILBOX_MCP_URL: url, MAILBOX_API_KEY: key } = process.env
const mailbox = new MCPClient({
  servers: { mailbox: { url: new URL(url), requestInit: { headers: { Authorization: `Bearer ${key}` } } } },
})
const agent = new Agent({
  name: 'support',
  instructions: 'You answer customers.',
  model: { id: 'local/stand-in', url: await startModel(), apiKey: 'none' },
  tools: await mailbox.getTools(),
})
for (;;) {
  await agent.generate(task, { maxSteps: 30 })
  await pause(10)
}
