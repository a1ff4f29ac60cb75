import { createSimulator, type OperationName, type Simulator } from 'agent-mailbox-sim'
import { getResponse } from 'msw'
import { eml, key, openApiScenario } from './scenario.js'

export interface OperationAnswer {
  readonly operation: OperationName
  /** Method and path. */
  readonly asked: string
  readonly status: number
  readonly contentType: string | null
  readonly body: unknown
}

type Question = readonly [operation: OperationName, path: string, patch?: unknown, contentType?: string]

const identity = (handle: string) => `/identities/${handle}`

const questionsOnIdentities: readonly Question[] = [
  ['identities.get', identity('ida')],
  ['identities.get', identity('@ida')],
  ['identities.get', identity('nobody')],
  ['identities.get', identity('rival')],
  ['identities.get', identity('%F0%9F%8D%90')],
  ['identities.update', identity('ida'), { display_name: 'Ida Ek', description: 'Grows pears' }],
  ['identities.update', identity('@ida'), { description: '' }],
  ['identities.update', identity('ida'), {}],
  ['identities.update', identity('ida'), { description: 'Sells pears', mood: 'fine' }],
  ['identities.update', identity('ida'), { description: 7 }],
  ['identities.update', identity('ida'), { description: 'Sells plums' }, 'text/plain'],
  ['identities.update', identity('ida'), { display_name: null }],
  ['identities.get', identity('ida')],
  ['identities.update', identity('night'), { display_name: '' }],
  ['identities.get', identity('night')],
]

const questionsOnLists = (threadId: string): Question[] => [
  ['threads.list', '/mail/threads'],
  ['threads.list', '/mail/threads?agent=ida'],
  ['threads.list', '/mail/threads?mailbox=Ida.Ek@orchard.example&limit=1&offset=1'],
  ['threads.list', '/mail/threads?agent=night&offset=100'],
  ['threads.list', '/mail/threads?agent=ida&mailbox=night@orchard.example'],
  ['threads.list', '/mail/threads?agent=ida&limit=0'],
  ['threads.list', '/mail/threads?agent=ida&offset=-1'],
  ['threads.list', '/mail/threads?agent=nobody'],
  ['messages.list', '/mail/messages'],
  ['messages.list', '/mail/messages?agent=ida&limit=2'],
  ['messages.list', `/mail/messages?thread_id=${threadId}`],
  ['messages.list', '/mail/messages?thread_id=thrd_gone'],
  ['messages.list', '/mail/messages?limit=0'],
  ['messages.list', '/mail/messages?limit=101&offset=1'],
  ['webhooks.list', '/webhooks'],
  ['webhooks.list', '/webhooks?agent=ida&event=message.received'],
  ['webhooks.list', '/webhooks?agent_handle=ida&event_type=message.received'],
  ['webhooks.list', '/webhooks?handle=ida&type=message.received'],
]

/** Returns the answers of every operation to valid and invalid requests under some assumptions. */
export async function answersUnder(assumptions: string): Promise<OperationAnswer[]> {
  const simulator = await createSimulator({ scenario: openApiScenario, assume: assumptions })
  const answers: OperationAnswer[] = []
  for (const question of questionsOnIdentities) answers.push(await ask(simulator, question))
  const { thread } = await simulator.mail.receive({ eml })
  await simulator.mail.send({ from: 'ida', to: 'per@shop.example', thread: thread.id, text: 'Later.' })
  await simulator.mail.send({ from: 'night', to: 'per@shop.example', subject: '', text: 'Good night' })
  for (const question of questionsOnLists(thread.id)) answers.push(await ask(simulator, question))
  simulator.close()
  return answers
}

async function ask(simulator: Simulator, [operation, path, patch, type]: Question): Promise<OperationAnswer> {
  const method = patch === undefined ? 'GET' : 'PATCH'
  const headers = {
    authorization: `Bearer ${key}`,
    ...(patch !== undefined && { 'content-type': type ?? 'application/json' }),
  }
  const url = `${simulator.baseUrl}/api/v1${path}`
  const body = patch === undefined ? null : JSON.stringify(patch)
  const response = await getResponse(simulator.handlers, new Request(url, { method, headers, body }))
  if (!response) throw new Error(`No handler takes ${method} ${path}.`)
  const { status } = response
  const contentType = response.headers.get('content-type')
  return { operation, asked: `${method} ${path}`, status, contentType, body: await response.json() }
}
