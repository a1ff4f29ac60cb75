import { createMCPClient } from '@ai-sdk/mcp'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs } from 'ai'
import { pause, startModel, task } from './stand-in-model.mjs'

const { MAILBOX_MCP_URL: url, MAILBOX_API_KEY: key } = process.env
const mailbox = await createMCPClient({
  transport: { type: 'http', url, headers: { Authorization: `Bearer ${key}` } },
})
const tools = await mailbox.tools()
const model = createOpenAICompatible({ name: 'stand-in', baseURL: await startModel() })('stand-in')
for (;;) {
  await generateText({
    model,
    tools,
    system: 'You answer customers.',
    prompt: task,
    stopWhen: stepCountIs(30),
  })
  await pause(10)
}
