import { describe, expect, it } from 'vitest'
import { handedOut } from '../ids.js'
import { smallWorld } from '../small-world.fixture.js'
import { document, documentWith, refusalOf } from './changed-world.fixture.js'

const { rows, timeline } = JSON.parse(document)
const [webhook] = rows.webhook
const [played] = timeline.played
const patched = { reset: true, operation: 'threads.list', method: 'PATCH' }
const keyHolder = { id: 'org_c', name: 'C', api_keys: ['key-a'], ordinal: 2 }

/** Checks that a document with those changes is refused, at that place and for that reason. */
function expectRefused(changes: Readonly<Record<string, unknown>>, place: string, problem: string): void {
  const message = `This snapshot cannot be restored: ${place}: ${problem}`
  const refusal = refusalOf(documentWith(changes))
  expect(refusal?.message.slice(0, message.length)).toBe(message)
  expect(refusal?.code).toBe('inconsistent')
}

type Case = [place: string, value: unknown, told: string, problem: string]

describe('ids and ordinals', () => {
  it.each<Case>([
    ['rows.webhook.1', webhook, 'rows.webhook[1].id', `"${webhook.id}" is taken by another row`],
    ['rows.message.3.ordinal', 2, 'rows.message[3].ordinal', '2 is taken by another row'],
    [
      'rows.webhook.0.ordinal',
      1,
      'rows.webhook[0].ordinal',
      '1 is taken by a row of the scenario; the first',
    ],
    ['rows.webhook.0.ordinal', 4, 'rows.webhook[0].ordinal', '4 is not below the next one, which is 4 by'],
    [
      'ordinals.webhook',
      3,
      'ordinals.webhook',
      'expected 4 or more: the scenario has 3, and 1 are here; found 3',
    ],
    ['ordinals.webhook', undefined, 'ordinals.webhook', 'expected 4 or more'],
    [
      'ids.webhook',
      0,
      'ids.webhook',
      'found 0, but rows.webhook[0] has number 1 of the ids that are handed out',
    ],
    ['ids.attachment', undefined, 'ids.attachment', 'found 0, but rows.attachment[0] has number 1'],
    ['ids.webhook', 9, 'ids.webhook', 'found 9, but by ordinals no more than 1 rows were ever written'],
  ])('contradict each other with %s: %j', (place, value, told, problem) => {
    expectRefused({ [place]: value }, told, problem)
  })

  it('contradict each other even where many rows are gone', () => {
    const changes = { 'rows.webhook.0.id': handedOut('webhook', 7, 500), 'ordinals.webhook': 600 }
    expectRefused(changes, 'ids.webhook', 'found 1, but rows.webhook[0] has number 500')
  })
})

describe('rows that refer to others', () => {
  it.each<Case>([
    [
      'rows.message.3.thread_id',
      'thrd_no',
      'rows.message[3].thread_id',
      'there is no thread "thrd_no", neither',
    ],
    [
      'rows.message.3.identity_id',
      'ident_sales',
      'rows.message[3].identity_id',
      'expected "ident_support", that',
    ],
    [
      'rows.message.3.organization_id',
      'org_b',
      'rows.message[3].organization_id',
      'expected "org_a", that of its',
    ],
    [
      'rows.message.3.attachment_ids',
      ['att_no'],
      'rows.message[3].attachment_ids[0]',
      'there is no attachment',
    ],
    [
      'rows.message.3.attachment_ids',
      ['att_receipt'],
      'rows.message[3].attachment_ids[0]',
      '"att_receipt" is a file of the message "msg_first"',
    ],
    ['rows.message.3.body_key', '0:0:0', 'rows.message[3].body_key', 'expected null: only a message of the'],
    ['rows.message', [], 'rows.attachment[0].message_id', 'there is no message'],
    ['rows.message.2.attachment_ids', [], 'rows.attachment[0].message_id', 'the message "msg_'],
    [
      'rows.attachment.0.size_bytes',
      6,
      'rows.attachment[0].size_bytes',
      'expected 5, which the content has; found 6',
    ],
    [
      'rows.attachment.0.filename',
      'b.txt',
      'rows.attachment[0].id',
      'it follows from the name, the type and the',
    ],
    [
      'rows.thread.0.identity_id',
      'ident_no',
      'rows.thread[0].identity_id',
      'there is no identity "ident_no"',
    ],
    [
      'rows.thread.0.organization_id',
      'org_b',
      'rows.thread[0].organization_id',
      'expected "org_a", that of its',
    ],
    [
      'rows.identity.1.organization_id',
      'org_no',
      'rows.identity[1].organization_id',
      'there is no organization',
    ],
    [
      'rows.identity.1.agent_handle',
      'sales',
      'rows.identity[1].agent_handle',
      'another identity has the handle',
    ],
    [
      'rows.identity.1.mailbox_address',
      'Sales@agents.example',
      'rows.identity[1].mailbox_address',
      'another identity has the address "Sales@agents.example"',
    ],
    [
      'rows.webhook.0.organization_id',
      'org_no',
      'rows.webhook[0].organization_id',
      'there is no organization',
    ],
    [
      'rows.webhook.0.agent_handle',
      'me',
      'rows.webhook[0].agent_handle',
      'there is no identity with the handle "me"',
    ],
  ])('need them to fit: %s: %j', (place, value, told, problem) => {
    expectRefused({ [place]: value }, told, problem)
  })

  it('need keys that nobody has', () => {
    const changes = { 'rows.organization.0': keyHolder, 'ordinals.organization': 3 }
    expectRefused(
      changes,
      'rows.organization[0].api_keys[0]',
      'the key belongs to another organization already',
    )
  })
})

describe('rows of the scenario', () => {
  it.each<Case>([
    [
      'rows.identity.0.organization_id',
      'org_b',
      'rows.identity[0].organization_id',
      'expected "org_a", as the scenario has it for good; found "org_b"',
    ],
    [
      'rows.identity.0.agent_handle',
      'help',
      'rows.identity[0].agent_handle',
      'expected "support", as the scenario',
    ],
    [
      'rows.thread.3.ordinal',
      7,
      'rows.thread[3].ordinal',
      'expected 0, as the scenario has it for good; found 7',
    ],
  ])('keep what nobody changes: %s: %j', (place, value, told, problem) => {
    expectRefused({ [place]: value }, told, problem)
  })

  it.each([
    ['thread', 'thrd_no', 'deleted[1]', 'the scenario has no thread "thrd_no" that could be deleted'],
    ['identity', 'ident_rival', 'deleted[1]', '"ident_rival" has been deleted already'],
    ['identity', 'ident_support', 'rows.identity[0].id', '"ident_support" is among the deleted ones too'],
    ['organization', 'org_b', 'deleted[1]', 'no organization is ever deleted'],
    [
      'identity',
      'ident_sales',
      'deleted[1]',
      'with the identity "ident_sales", its subscriptions would be deleted',
    ],
    [
      'attachment',
      'att_receipt',
      'deleted[1]',
      'with the attachment "att_receipt", its message "msg_first" would',
    ],
    ['message', 'msg_first', 'deleted[1]', 'with the message "msg_first", its files would be deleted too'],
    ['message', 'msg_second', 'rows.thread[3].message_count', 'expected 2 by its messages; found 3'],
  ])('are deleted with what belongs to them: %s %s', (model, id, told, problem) => {
    expectRefused({ 'deleted.1': { model, id } }, told, problem)
  })
})

describe('rows of a scenario that has not changed', () => {
  it.each([
    ['identity', 'ident_support', 'its threads'],
    ['thread', 'thrd_refund', 'its messages'],
    ['message', 'msg_first', 'its files'],
  ])('are deleted with what belongs to them: %s %s', (model, id, left) => {
    const snapshot = { ...smallWorld().snapshot(), deleted: [{ model, id }] }
    const refusal = refusalOf(snapshot, smallWorld())
    expect(refusal?.message).toContain(`deleted[0]: with the ${model} "${id}", ${left} would be deleted too.`)
  })
})

describe('what a thread says of its messages', () => {
  it.each<Case>([
    ['rows.thread.3.message_count', 4, 'rows.thread[3].message_count', 'expected 3 by its messages; found 4'],
    [
      'rows.thread.3.first_message_id',
      null,
      'rows.thread[3].first_message_id',
      'expected "msg_first" by its',
    ],
    ['rows.thread.3.last_message_id', 'msg_first', 'rows.thread[3].last_message_id', 'expected "msg_'],
    ['rows.thread.3.last_message_at', 0, 'rows.thread[3].last_message_at', 'expected 17'],
    [
      'rows.thread',
      rows.thread.slice(0, 3),
      'rows.message[3]',
      'with it, message_count of the thread "thrd_refund" is 3; rows.thread must have that thread',
    ],
  ])('is what they come to: %s: %j', (place, value, told, problem) => {
    expectRefused({ [place]: value }, told, problem)
  })
})

describe('the clock, the story and the faults', () => {
  it.each<Case>([
    [
      'clock.now',
      '2026-01-05T08:00:00Z',
      'clock.now',
      'it is before began_at, which is 2026-01-05T09:00:00.000Z',
    ],
    [
      'timeline.played',
      Array(6).fill(played),
      'timeline.played',
      'it has 6 entries, and the whole story of the',
    ],
    [
      'timeline.played.1.name',
      'x',
      'timeline.played[1].name',
      'expected "mail", as the scenario has it; found "x"',
    ],
    [
      'timeline.played',
      [],
      'timeline.played',
      'it lacks "at once", which happens as soon as the story begins',
    ],
    [
      'clock.now',
      '2026-01-05T09:15:00Z',
      'timeline.played[1].at',
      '"mail" cannot have happened yet: it is 2026-',
    ],
    ['timeline.played.1.at', '2027-01-05', 'timeline.played[1].at', '"mail" cannot have happened yet'],
    [
      'faults.rules.1.fault',
      patched,
      'faults.rules[1].fault',
      'it can never hit: threads.list is GET, never PATCH',
    ],
    [
      'faults.rules.0.hit',
      1,
      'faults.rules[0].hit',
      'expected 0 or fewer of the 0 requests that matched; found 1',
    ],
    [
      'faults.rules.1.matched',
      2,
      'faults.rules[1].hit',
      'expected 1 of the 2 requests that matched; found 0',
    ],
    ['faults.rules.1.id', 'fault_1', 'faults.rules[1].id', 'expected a number above 1'],
    [
      'faults.added',
      1,
      'faults.rules[1].id',
      'expected a number above 1 and, since 1 were added, not above 1',
    ],
  ])('contradict each other with %s: %j', (place, value, told, problem) => {
    expectRefused({ [place]: value }, told, problem)
  })

  it('contradict each other where a fault has hit more often than it does', () => {
    const changes = { 'faults.rules.1.matched': 9, 'faults.rules.1.hit': 3 }
    expectRefused(changes, 'faults.rules[1].hit', 'expected 2 of the 9 requests that matched; found 3')
  })
})
