import { BaseLlm, InMemoryRunner, LlmAgent, MCPToolset } from '@google/adk'
import { pause, startModel, task } from './stand-in-model.mjs'

const { MAILBOX_MCP_URL: url, MAILBOX_API_KEY: key } = process.env
const baseURL = await startModel()

/** A model with the interface of chat completions, for ADK speaks that of Gemini. */
class ChatModel extends BaseLlm {
  async *generateContentAsync({ contents, config }) {
    const messages = contents.flatMap(({ role, parts = [] }) =>
      parts.flatMap((part) => messageOf(role, part)),
    )
    const tools = (config?.tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations)
    const body = {
      model: this.model,
      messages,
      tools: tools.map((one) => ({ type: 'function', function: one })),
    }
    const response = await fetch(`${baseURL}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    const [{ message }] = (await response.json()).choices
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => {
      return { functionCall: { id, name, args: JSON.parse(args) } }
    })
    yield { content: { role: 'model', parts: calls.length > 0 ? calls : [{ text: message.content }] } }
  }
}

function messageOf(role, { text, functionCall: call, functionResponse: result }) {
  if (result) return { role: 'tool', tool_call_id: result.id, content: JSON.stringify(result.response) }
  if (!call) return { role: role === 'user' ? 'user' : 'assistant', content: text }
  const called = { name: call.name, arguments: JSON.stringify(call.args) }
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: call.id, type: 'function', function: called }],
  }
}

const transportOptions = { requestInit: { headers: { Authorization: `Bearer ${key}` } } }
const agent = new LlmAgent({
  name: 'support',
  instruction: 'You answer customers.',
  model: new ChatModel({ model: 'stand-in' }),
  tools: [new MCPToolset({ type: 'StreamableHTTPConnectionParams', url, transportOptions })],
})
const runner = new InMemoryRunner({ agent, appName: 'support' })
for (;;) {
  const newMessage = { role: 'user', parts: [{ text: task }] }
  for await (const _ of runner.runEphemeral({ userId: 'support', newMessage }));
  await pause(10)
}
