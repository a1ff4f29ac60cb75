import type { ScenarioPath } from '../building/building.js'
import { quoted } from '../problems/found-value.js'
import { keyOf } from '../problems/places.js'
import type { ProblemAt } from '../problems/refusal.js'
import type { Check } from './story.js'
import { allIdentities, type NamedMessage } from './story-names.js'

/** Two threads of a mailbox, two messages of a thread, or two parts of the story that go by one key. */
export const checkKeys: Check = function* ({ scenario, names }) {
  for (const { identity, path } of allIdentities(scenario)) {
    yield* twice('thread', keyed(identity.threads, [...path, 'threads']))
    for (const [index, { messages }] of identity.threads.entries()) {
      yield* twice('message', keyed(messages, [...path, 'threads', index, 'messages']))
    }
  }
  yield* twiceInThread(names.messages({}))
  const entries = keyed(scenario.timeline, ['timeline'])
  // Expectations name either by `before` and `after`, so that they share their keys.
  yield* twice('entry or expectation', [...entries, ...keyed(scenario.expect, ['expect'])])
}

/** Mail of the timeline by a key that another message of its thread has. */
function* twiceInThread(messages: readonly NamedMessage[]): Iterable<ProblemAt> {
  const first = new Map<string, NamedMessage>()
  for (const message of messages) {
    const { key, owner, thread, path } = message
    const name = JSON.stringify([key, owner.path, thread ?? path])
    const before = first.get(name)
    if (before && path[0] === 'timeline') {
      const other = keyOf(before.path.slice(0, -1))
      yield { path, message: `the key ${quoted(key)} is that of another message, ${other}, already` }
    }
    first.set(name, message)
  }
}

interface Keyed {
  readonly key: string
  readonly path: ScenarioPath
}

function keyed(parts: readonly { readonly key?: string | undefined }[], path: ScenarioPath): Keyed[] {
  return parts.flatMap(({ key }, index) => (key === undefined ? [] : [{ key, path: [...path, index] }]))
}

function* twice(what: string, parts: readonly Keyed[]): Iterable<ProblemAt> {
  const first = new Map<string, ScenarioPath>()
  for (const { key, path } of parts) {
    const before = first.get(key)
    if (before) {
      const message = `the key ${quoted(key)} is that of another ${what}, ${keyOf(before)}, already`
      yield { path: [...path, 'key'], message }
    } else first.set(key, path)
  }
}
