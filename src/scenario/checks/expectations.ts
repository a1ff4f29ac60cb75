import { type Operation, type OperationName, operations } from '../../contract/operations.js'
import type { Identity, Message, Thread } from '../../contract/resources.js'
import type { ScenarioPath } from '../building/building.js'
import type { ScenarioExpectation } from '../format/index.js'
import { Lookups } from './lookups.js'
import { nearestOf } from './no-such.js'
import type { Check } from './story.js'

/** What may be said that a resource has in the end. */
const fields = {
  identity: ['display_name', 'description', 'mailbox_address', 'agent_handle'] satisfies (keyof Identity)[],
  thread: ['subject', 'snippet', 'unread', 'message_count'] satisfies (keyof Thread)[],
  message: ['direction', 'from', 'to', 'subject', 'text', 'html'] satisfies (keyof Message)[],
} as const

/** Expectations of what is not there: agents, threads, messages, fields, parameters. */
export const checkExpectations: Check = ({ scenario, names }) => {
  const lookups = new Lookups(names)
  for (const [index, expectation] of scenario.expect.entries()) {
    const path = ['expect', index]
    checkSubject(lookups, expectation, path)
    checkFields(lookups, expectation, path)
    checkQuery(lookups, expectation, path)
  }
  return lookups.problems
}

function checkSubject(lookups: Lookups, expectation: ScenarioExpectation, path: ScenarioPath): void {
  const { identity, thread, message } = expectation
  const owner = lookups.agent(identity, [...path, 'identity'])
  if (identity !== undefined && !owner) return
  const wanted = { key: thread ?? '', owner, ownerKey: 'identity' } as const
  const found = thread === undefined ? undefined : lookups.thread(wanted, [...path, 'thread'])
  if (message === undefined || (thread !== undefined && !found)) return
  lookups.message(message, { owner: found?.owner ?? owner, thread }, [...path, 'message'])
}

function checkFields(lookups: Lookups, expectation: ScenarioExpectation, path: ScenarioPath): void {
  const kind = (['message', 'thread', 'identity'] as const).find((name) => expectation[name] !== undefined)
  if (!kind) return
  const known: readonly string[] = fields[kind]
  const article = kind === 'identity' ? 'an' : 'a'
  for (const field of Object.keys(expectation.has ?? {})) {
    if (known.includes(field)) continue
    const message = `${article} ${kind} has no such field to compare${nearestOf(field, known)}`
    lookups.problem([...path, 'has', field], message, 'key')
  }
}

function checkQuery(lookups: Lookups, { request, where }: ScenarioExpectation, path: ScenarioPath): void {
  const operation: Operation | undefined = request && operations[request satisfies OperationName]
  if (!operation) return
  const known = Object.keys(operation.query)
  for (const [name, parameter] of Object.entries(where?.query ?? {})) {
    const own = [...path, 'where', 'query', name]
    // Of parameters whose names the interface leaves open, any may be the right one.
    if (!operation.unnamedQuery && !known.includes(name)) {
      const message = `${request} has no such parameter in its query${nearestOf(name, known)}`
      lookups.problem(own, message, 'key')
    } else if (typeof parameter === 'object' && parameter?.thread !== undefined) {
      checkThread(lookups, name, parameter, own)
    }
  }
}

interface ThreadParameter {
  readonly thread?: string | undefined
  readonly identity?: string | undefined
}

/** A parameter that is said to be the id of a thread. */
function checkThread(
  lookups: Lookups,
  name: string,
  { thread: key = '', identity }: ThreadParameter,
  path: ScenarioPath,
): void {
  if (name !== 'thread_id') {
    lookups.problem([...path, 'thread'], `${name} is no id of a thread; that is thread_id`, 'key')
    return
  }
  const owner = lookups.agent(identity, [...path, 'identity'])
  if (identity === undefined || owner) {
    lookups.thread({ key, owner, ownerKey: 'identity' }, [...path, 'thread'])
  }
}
