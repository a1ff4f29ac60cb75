import { type Operation, type OperationName, operationNames, operations } from '../../contract/operations.js'
import type { Identity, Message, Thread } from '../../contract/resources.js'
import type { ScenarioPath } from '../building/building.js'
import type { ScenarioExpectation } from '../format/index.js'
import { quoted } from '../problems/found-value.js'
import { Lookups } from './lookups.js'
import { nearestOf } from './no-such.js'
import type { Check } from './story.js'

/** What may be said that a resource has in the end. */
const fields = {
  identity: ['display_name', 'description', 'mailbox_address', 'agent_handle'] satisfies (keyof Identity)[],
  thread: ['subject', 'snippet', 'unread', 'message_count'] satisfies (keyof Thread)[],
  message: ['direction', 'from', 'to', 'subject', 'text', 'html'] satisfies (keyof Message)[],
} as const

/** Expectations of what is not there: agents, threads, messages, fields, parameters, other entries. */
export const checkExpectations: Check = ({ scenario, names }) => {
  const lookups = new Lookups(names)
  const keys = [...scenario.timeline, ...scenario.expect].flatMap(({ key }) => key ?? [])
  for (const [index, expectation] of scenario.expect.entries()) {
    const path = ['expect', index]
    checkSubject(lookups, expectation, path)
    checkFields(lookups, expectation, path)
    checkQuery(lookups, expectation, path)
    for (const side of ['before', 'after'] as const) {
      const wanted = expectation[side]
      const known = [...operationNames, ...keys.filter((key) => key !== expectation.key)]
      if (wanted === undefined || known.includes(wanted)) continue
      const message = `${quoted(wanted)} is neither an operation nor the key of an entry or expectation`
      lookups.problem([...path, side], `${message}${nearestOf(wanted, known)}`)
    }
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
  // Of parameters whose names the interface leaves open, any may be the right one.
  if (!operation || operation.unnamedQuery) return
  const known = Object.keys(operation.query)
  for (const name of Object.keys(where?.query ?? {})) {
    if (known.includes(name)) continue
    const message = `${request} has no such parameter in its query${nearestOf(name, known)}`
    lookups.problem([...path, 'where', 'query', name], message, 'key')
  }
}
