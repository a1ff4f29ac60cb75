// A stand-in for a language model, with the interface of chat completions: it decides from the conversation alone what a
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

/** Starts the stand-in; returns its base URL. */
export async function startModel() {
  let count = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { messages, tools = [] } = JSON.parse(body)
    const call = nextCall(messages)
    const name =
      call && (tools.map((tool) => tool.function.name).find((one) => one.endsWith(call[0])) ?? call[0])
    const calls = call && [
      { id: `call_${++count}`, type: 'function', function: { name, arguments: JSON.stringify(call[1]) } },
    ]
    const message = {
      role: 'assistant',
      content: calls ? null : 'Done.',
      ...(calls && { tool_calls: calls }),
    }
    const choice = { index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        id: `c${count}`,
        object: 'chat.completion',
        created: 1,
        model: 'stand-in',
        choices: [choice],
        usage,
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${server.address().port}/v1`
}

export const task =
  'Look through the mailbox of support, and answer the customers whose mail is not yet answered.'
export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds))
