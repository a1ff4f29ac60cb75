// A stand-in for a language model, with the interfaces of chat completions and of the Messages API: it decides from the conversation alone what a
// careful support agent does next. It asks for the number of the order, then promises what was paid.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** The messages of mail programs quote the earlier one below this line. */
const newTextOf = ({ text }) => (text ?? '').split(/^On .* wrote:$/m, 1)[0]

/** Returns the reply to what a customer wrote, the latest last; undefined if there is nothing to say. */
function replyTo(texts) {
  const said = texts.join('\n')
  if (!/refund/.test(said) || texts.at(-1)?.includes('Thank you')) return undefined
  const price = /EUR (\d+\.\d\d)/.exec(said)?.[1]
  return price && /order \d+/.test(said)
    ? `You will have EUR ${price} back tomorrow.`
    : 'We are sorry about that. What is your order number, and what did you pay?'
}

/** Returns the JSON in the result of a tool, however the framework wraps it. */
function resultIn(content) {
  if (Array.isArray(content)) return resultIn(content[0]?.text ?? content[0])
  if (typeof content !== 'string') {
    const inner = content?.content ?? content?.text
    return inner && !content.messages ? resultIn(inner) : (content ?? {})
  }
  try {
    return resultIn(JSON.parse(content))
  } catch {
    return {}
  }
}

/** Returns the tool that is called next, with its arguments; undefined if the work is done. */
function nextCall(messages) {
  const begin = messages.findLastIndex(({ role }) => role === 'user')
  const results = messages
    .slice(begin)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => resultIn(content))
  const threads = results.find((one) => one.threads)?.threads
  if (!threads) return ['threads_list', { agent: 'support' }]
  const read = results.filter((one) => one.messages).length
  if (read < threads.length) return ['messages_list', { thread_id: threads[read].id, limit: 100 }]
  const due = results.flatMap(({ messages: mail }) => {
    if (!mail) return []
    const sorted = [...mail].sort((a, b) => a.created_at.localeCompare(b.created_at))
    const latest = sorted.at(-1)
    if (latest.direction !== 'inbound') return []
    const text = replyTo(sorted.filter(({ direction }) => direction === 'inbound').map(newTextOf))
    return text === undefined ? [] : [['messages_reply', { message_id: latest.id, text }]]
  })
  return due[results.length - 1 - read]
}

/** Returns the messages of the Messages API in the form of chat completions: each result of a tool is a message of its own. */
const chatFrom = (messages) =>
  messages.flatMap(({ role, content }) => {
    const results = Array.isArray(content) ? content.filter(({ type }) => type === 'tool_result') : []
    return results.length
      ? results.map((one) => ({ role: 'tool', content: one.content }))
      : [{ role, content }]
  })

const chatCompletion = (id, call) => {
  const calls = call && [
    { id, type: 'function', function: { name: call[0], arguments: JSON.stringify(call[1]) } },
  ]
  const message = { role: 'assistant', content: calls ? null : 'Done.', ...(calls && { tool_calls: calls }) }
  const choice = { index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  return { id, object: 'chat.completion', created: 1, model: 'stand-in', choices: [choice], usage }
}

/** Returns the events of the Messages API, which the Claude Agent SDK always asks for as a stream. */
function messageEvents(id, call, model) {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage }
  const block = call ? { type: 'tool_use', id, name: call[0], input: {} } : { type: 'text', text: '' }
  const delta = call
    ? { type: 'input_json_delta', partial_json: JSON.stringify(call[1]) }
    : { type: 'text_delta', text: 'Done.' }
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn' }, usage },
    { type: 'message_stop' },
  ]
}

/** Starts the stand-in; returns its base URL, below which are `/chat/completions` and `/messages`. */
export async function startModel() {
  let count = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { model, messages = [], tools = [] } = JSON.parse(body || '{}')
    const claude = request.url.startsWith('/v1/messages')
    const found = nextCall(claude ? chatFrom(messages) : messages)
    const names = tools.map((tool) => tool.function?.name ?? tool.name)
    const call = found && [names.find((one) => one.endsWith(found[0])) ?? found[0], found[1]]
    const id = `call_${++count}`
    response.setHeader('content-type', claude ? 'text/event-stream' : 'application/json')
    response.end(
      claude
        ? messageEvents(id, call, model)
            .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
            .join('')
        : JSON.stringify(chatCompletion(id, call)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${server.address().port}/v1`
}

export const task =
  'Look through the mailbox of support, and answer the customers whose mail is not yet answered.'
export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds))
