import { counted, expectedOneOf } from '../../base/text.js'
import { type Thread, threadSchema } from '../../contract/resources.js'
import type { Judge } from './judge.js'
import type { JudgedMailbox } from './judged-mailbox.js'
import { stateKeys } from './keys.js'
import { defineStateKind, resourceKeys } from './state.js'
import { describeExpected, fieldMismatches, formatMismatch, type Match } from './values.js'

/** The expectation of the state of a thread. */
export const threadExpectations = defineStateKind({
  kind: 'thread',
  about: 'a thread',
  keys: { thread: resourceKeys.thread, identity: resourceKeys.identity, ...stateKeys },
  fields: {
    subject: 'subject',
    snippet: null,
    unread: null,
    message_count: null,
  } satisfies { readonly [Field in keyof Thread]?: string | null },
  isWork: () => true,
})

/** Creates the judge of the threads of an agent, of one thread, or of all threads. @throws TypeError for unknown fields */
export function threadJudge(
  mailbox: JudgedMailbox,
  fields: Readonly<Partial<Record<keyof Thread, Match>>>,
  { agent, id }: { readonly agent?: string | undefined; readonly id?: string } = {},
): Judge<Thread> {
  const known = Object.keys(threadSchema().shape)
  for (const name of Object.keys(fields)) {
    if (!known.includes(name))
      throw new TypeError(`A thread has no "${name}"${expectedOneOf(name, known, '.')}`)
  }
  const whose = agent === undefined ? '' : `of ${agent}`
  const values = describeExpected(fields)
  return {
    nouns: ['thread', 'threads'],
    expected: [whose, values && `with ${values}`].filter(Boolean).join(' '),
    things() {
      if (id !== undefined) return [mailbox.threads.get(id)]
      return mailbox.threads.list(agent === undefined ? { everywhere: true } : { agent })
    },
    explainNone: () => `There is no thread${whose && ` ${whose}`} at all.`,
    compare: (thread) => fieldMismatches(fields, thread),
    line({ id, subject, unread, message_count, last_message_at }) {
      const messages = counted(message_count, 'message')
      return `"${subject}" (${id}: ${unread ? 'unread' : 'read'}, ${messages}, last ${last_message_at})`
    },
    differences: (_, mismatches) => mismatches.map(formatMismatch),
  }
}
