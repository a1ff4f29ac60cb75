import { chooseAssumptions } from '../../../src/service/assumptions/assumptions.js'
import { BaseBuilder } from '../../../src/service/model/base.js'
import type { ModelName } from '../../../src/service/model/rows.js'
import { mixNumber } from '../../../src/service/time/random.js'
import type { ClockMode } from '../../../src/service/time/time.js'
import type { CommandOf } from '../../../src/service/world/commands/commands.js'
import { createFingerprint } from '../../../src/service/world/digest.js'
import type { InitialState } from '../../../src/service/world/state.js'
import { World } from '../../../src/service/world/world.js'
import { sampleRow } from '../model/sample-rows.js'

export const start = Date.parse('2026-01-05T09:00:00Z')
const day = 86_400_000

/**
 * A base of two organizations. `support` (`ident_support`) has a thread `thrd_refund` of two messages, the
 * first, `msg_first`, with the Message-ID `<first@shop.example>`, the second, `msg_second`, sent to
 * `ann@shop.example` and to `r0@shop.example` up to `r9`; `sales` has none, `rival` is of the other organization.
 */
export function smallBase() {
  const builder = new BaseBuilder((ordinal) => mixNumber(ordinal, 7))
  builder.add('organization', sampleRow.organization('org_a', { api_keys: ['key-a'] }))
  builder.add('organization', sampleRow.organization('org_b', { api_keys: ['key-b'] }))
  for (const [handle, organization_id] of [
    ['support', 'org_a'],
    ['sales', 'org_a'],
    ['rival', 'org_b'],
  ] as const) {
    const times = { created_at: start - 30 * day, updated_at: start - 30 * day }
    const name = { agent_handle: handle, display_name: `Agent ${handle}` }
    builder.add('identity', sampleRow.identity(`ident_${handle}`, { organization_id, ...name, ...times }))
  }
  addThread(builder)
  for (const [id, agent_handle] of [
    ['whk_all', null],
    ['whk_support', 'support'],
    ['whk_sales', 'sales'],
  ] as const) {
    builder.add('webhook', sampleRow.webhook(id, { agent_handle, created_at: start - day }))
  }
  return builder.build((key) => ({ text: `words of ${key}`, html: null }))
}

function addThread(builder: BaseBuilder): void {
  const owner = { identity_id: 'ident_support', thread_id: 'thrd_refund' }
  const mail = { message_id: '<first@shop.example>', attachment_ids: ['att_receipt'] }
  builder.add(
    'thread',
    sampleRow.thread('thrd_refund', {
      identity_id: 'ident_support',
      subject: 'Refund',
      answered: true,
      unread: true,
      message_count: 2,
      first_message_id: 'msg_first',
      last_message_id: 'msg_second',
      last_message_at: start - day,
      created_at: start - 2 * day,
    }),
  )
  const times = [start - 2 * day, start - day] as const
  builder.add('message', sampleRow.message('msg_first', { ...owner, ...mail, created_at: times[0] }))
  builder.add(
    'message',
    sampleRow.message('msg_second', {
      ...owner,
      direction: 'outbound',
      to: ['ann@shop.example', ...Array.from({ length: 10 }, (_, index) => `r${index}@shop.example`)],
      created_at: times[1],
    }),
  )
  builder.add('attachment', {
    id: 'att_receipt',
    message_id: 'msg_first',
    filename: 'receipt.txt',
    content_type: 'text/plain',
    size_bytes: 5,
    content_id: null,
    content: 'aGVsbG8=',
  })
}

/** Returns the initial state of a world over the small base. */
export function smallBeginning(more: Partial<InitialState> = {}): InitialState {
  const story = { scenario: 'small', seed: 7, start, base: smallBase(), timeline: [], ...more }
  return {
    ...story,
    describe: '',
    fingerprint: createFingerprint(story),
    ...chooseAssumptions([]),
    ...more,
  }
}

/** Creates a world over the small base, with its clock at 2026-01-05T09:00:00Z. */
export function smallWorld(clock: ClockMode = 'frozen', more: Partial<InitialState> = {}): World {
  return new World('world_1', smallBeginning(more), clock)
}

const models: readonly ModelName[] = [
  'organization',
  'identity',
  'thread',
  'message',
  'attachment',
  'webhook',
]

/** Returns every row of a world as text. */
export function everyRow({ store }: World): string {
  return JSON.stringify(models.map((model) => [...store.all(model)]))
}

type Receive = CommandOf<'receive-message'>

/** Returns a command for mail from Ann to `support`, with the given fields. */
export function annsMail(fields: Partial<Omit<Receive, 'type'>> = {}): Receive {
  return {
    type: 'receive-message',
    identity_id: 'ident_support',
    from: 'Ann <ann@shop.example>',
    to: ['support@agents.example'],
    ...fields,
  }
}
