import {
  Agent,
  MCPServerStreamableHttp,
  OpenAIChatCompletionsModel,
  run,
  setTracingDisabled,
} from '@openai/agents'
import OpenAI from 'openai'
import { pause, startModel, task } from './stand-in-model.mjs'

setTracingDisabled(true)
const { MAILBOX_MCP_URL: url, MAILBOX_API_KEY: key } = process.env
const mailbox = new MCPServerStreamableHttp({
  url,
  name: 'mailbox',
  requestInit: { headers: { Authorization: `Bearer ${key}` } },
})
await mailbox.connect()
const client = new OpenAI({ apiKey: 'none', baseURL: await startModel() })
const agent = new Agent({
  name: 'support',
  instructions: 'You answer customers.',
  model: new OpenAIChatCompletionsModel(client, 'stand-in'),
  mcpServers: [mailbox],
})
for (;;) {
  await run(agent, task, { maxTurns: 30 })
  await pause(10)
}
