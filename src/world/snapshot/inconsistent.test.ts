import { expect, it } from 'vitest'
import { document, documentWith, refusalOf } from '../../../test/support/world/changed-world.js'

const { rows, deleted, timeline } = JSON.parse(document)
const [webhook] = rows.webhook

/** A place, its new value, the place in the error, and the problem. */
const cases: readonly (readonly [place: string, value: unknown, named: string, problem: string])[] = [
  ['rows.webhook.1', webhook, 'rows.webhook[1].id', `"${webhook.id}" already exists`],
  ['rows.webhook.0.ordinal', 1, 'rows.webhook[0].ordinal', 'expected one from 3 to below 4; found 1'],
  ['rows.identity.0.ordinal', 7, 'rows.identity[0].ordinal', 'expected 0, as the scenario has it; found 7'],
  ['ordinals.webhook', 3, 'rows.webhook[0].ordinal', 'expected one from 3 to below 3; found 3'],
  ['rows.message.3.thread_id', 'thrd_no', 'rows.message[3].thread_id', 'there is no thread "thrd_no"'],
  [
    'rows.message.3.identity_id',
    'ident_no',
    'rows.message[3].identity_id',
    'there is no identity "ident_no"',
  ],
  [
    'rows.message.2.attachment_ids',
    ['att_no'],
    'rows.message[2].attachment_ids',
    'there is no attachment "att_no"',
  ],
  ['rows.message.3.body_key', '0:9:9', 'rows.message[3].body_key', 'expected null, as the scenario has it'],
  [
    'rows.thread.0.last_message_id',
    'msg_no',
    'rows.thread[0].last_message_id',
    'there is no message "msg_no"',
  ],
  ['rows.webhook.0.organization_id', 'org_no', 'rows.webhook[0].organization_id', 'there is no organization'],
  [
    `deleted.${deleted.length}`,
    { model: 'thread', id: 'thrd_no' },
    `deleted[${deleted.length}]`,
    'the scenario has no thread',
  ],
  [
    `deleted.${deleted.length}`,
    deleted[0],
    `deleted[${deleted.length}]`,
    `"${deleted[0].id}" already exists`,
  ],
  ['deleted.0', { model: 'organization', id: 'org_a' }, 'deleted[0]', 'no organization is ever deleted'],
  ['timeline.played.0.name', 'other', 'timeline.played[0].name', `expected "${timeline.played[0].name}"`],
  ['clock.now', '2020-01-01T00:00:00.000Z', 'clock.now', 'it is before began_at'],
  ['rows.thread.0.message_count', 99, 'checksum', 'expected '],
  ['rows.message.2.text', 'Edited', 'checksum', 'expected '],
  ['ids.webhook', 0, 'checksum', 'expected '],
  ['checksum', '0'.repeat(32), 'checksum', 'expected '],
]

it('refuses an inconsistent or edited snapshot with the place', () => {
  for (const [place, value, named, problem] of cases) {
    const refusal = refusalOf(documentWith({ [place]: value }))
    expect([place, refusal?.code, refusal?.message]).toEqual([
      place,
      'inconsistent',
      expect.stringContaining(`This snapshot cannot be restored: ${named}: ${problem}`),
    ])
  }
})

it('restores a snapshot with any order of keys', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, held]) => [key, reversed(held)]),
    )
  }
  expect(refusalOf(reversed(JSON.parse(document)))).toBeUndefined()
})

it('restores a snapshot of version 1, which has no checksum', () => {
  expect(refusalOf(documentWith({ version: 1, secrets: undefined, checksum: undefined }))).toBeUndefined()
})
