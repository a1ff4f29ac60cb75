import { identityPath } from '../../conformance/mailbox.js'
import { askForEva, update } from '../asked.js'
import type { GapCases } from '../gap-case.js'
import { notUpdated, refusedWith, sameAsBefore, updatedTo } from '../seen.js'

const name = { display_name: 'Eva L.' }
const laterOn = {
  prepare: async ({ simulator }) => simulator.clock.advance('1h'),
  before: askForEva,
} satisfies Partial<GapCases['identities.patch-null']>

/** Silent points of identities. */
export const identityCases = {
  'identities.handle-case': {
    before: askForEva,
    request: { path: identityPath('EVA') },
    sees: { exact: refusedWith(404), insensitive: sameAsBefore },
    quiet: [askForEva, { path: identityPath('nobody') }],
  },
  'identities.handle-format': {
    request: { path: identityPath('e%20v%20a') },
    sees: { 'not-found': refusedWith(404), rejected: refusedWith(400) },
    quiet: [askForEva, { path: identityPath('nobody') }],
  },
  'identities.patch-at-handle': {
    ...laterOn,
    request: update('@eva', name),
    sees: { 'same-identity': updatedTo(name), 'not-found': notUpdated(404), rejected: notUpdated(400) },
    quiet: [update('eva', name), { path: identityPath('@eva') }],
  },
  'identities.patch-empty-body': {
    ...laterOn,
    request: update('eva', {}),
    sees: {
      unchanged: sameAsBefore,
      touched: updatedTo({}),
      rejected: notUpdated(400),
    },
    quiet: [update('eva', name)],
  },
  'identities.patch-unknown-fields': {
    ...laterOn,
    request: update('eva', { ...name, mood: 'fine' }),
    sees: { ignored: updatedTo(name), rejected: notUpdated(400) },
    quiet: [update('eva', { ...name, description: 'Fine' })],
  },
  'identities.patch-null': {
    ...laterOn,
    request: update('eva', { description: null }),
    sees: {
      rejected: notUpdated(400),
      'empty-string': updatedTo({ description: '' }),
      null: updatedTo({ description: null }),
    },
    quiet: [update('eva', { description: '' })],
  },
  'identities.patch-content-type': {
    ...laterOn,
    request: update('eva', name, 'text/plain'),
    sees: {
      rejected: notUpdated(400),
      'unsupported-media-type': notUpdated(415),
      parsed: updatedTo(name),
    },
    quiet: [update('eva', name, 'Application/JSON; charset=utf-8')],
  },
} satisfies Partial<GapCases>
