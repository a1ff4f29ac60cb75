import type { Identity } from '../../contract/resources.js'
import { stateKeys } from './keys.js'
import { defineStateKind, resourceKeys } from './state.js'

/** The expectation of the state of an agent. */
export const identityExpectations = defineStateKind({
  kind: 'identity',
  about: 'an identity',
  keys: { identity: resourceKeys.identity, ...stateKeys },
  fields: {
    display_name: 'display_name',
    description: 'description',
    mailbox_address: null,
    agent_handle: null,
  } satisfies { readonly [Field in keyof Identity]?: string | null },
})
