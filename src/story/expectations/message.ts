import type { Message } from '../../contract/resources.js'
import { stateKeys } from './keys.js'
import { defineStateKind, resourceKeys } from './state.js'

/** The expectation of the state of a message. */
export const messageExpectations = defineStateKind({
  kind: 'message',
  about: 'a message',
  keys: {
    message: resourceKeys.message,
    thread: resourceKeys.thread,
    identity: resourceKeys.identity,
    ...stateKeys,
  },
  fields: {
    direction: null,
    from: 'from',
    // One of several recipients has to match: the first one.
    to: 'to/0',
    subject: 'subject',
    text: 'text',
    html: 'html',
  } satisfies { readonly [Field in keyof Message]?: string | null },
  isWork: () => true,
})
