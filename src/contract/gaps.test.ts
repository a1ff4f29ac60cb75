import { describe, expect, it } from 'vitest'
import { describeAssumptions, type Gap, namesOfAssumptions } from './gaps/gap.js'
import { defaultAssumptions, gaps } from './gaps.js'
import { operationNames } from './operations.js'

/** Ids and assumption names are stored in users' files, so this list only ever grows. */
const frozen = `
auth.webhooks: required · not-required
auth.keys: any-key · listed-keys
auth.missing-status: 401 · 403
auth.other-organization: not-found · forbidden
errors.body: error-object · flat · problem · detail · message
errors.validation-status: 400 · 422
errors.not-found-code: generic · specific
errors.method-not-allowed: 405 · 404
errors.unknown-operation: 404 · 501
query.unknown-parameters: ignored · rejected
query.repeated-parameter: first · last · rejected
path.trailing-slash: not-found · same
identities.handle-case: exact · insensitive
identities.handle-format: not-found · rejected
identities.patch-at-handle: same-identity · not-found · rejected
identities.patch-empty-body: unchanged · touched · rejected
identities.patch-unknown-fields: ignored · rejected
identities.patch-null: rejected · empty-string · null
identities.patch-content-type: rejected · unsupported-media-type · parsed
threads.order: last-message-desc · last-message-asc · created-desc · created-asc · unspecified
threads.total: all-matches · page-size · all-threads
threads.agent-and-mailbox: both · either · agent-wins · mailbox-wins · rejected
threads.limit-out-of-range: rejected · clamped · default
threads.offset-out-of-range: rejected · zero
threads.unknown-agent: empty · not-found
threads.agent-at-prefix: same-agent · no-match
threads.mailbox-case: insensitive · exact
threads.unscoped: all · rejected · empty
threads.unread-after-read: stays-unread · becomes-read
threads.unread-after-reply: stays-unread · becomes-read
threads.snippet: latest · first
threads.forward: stays · begins-a-thread
threads.new-subject: stays · begins-a-thread
messages.order: created-desc · created-asc · chronological-in-thread · unspecified
messages.total: all-matches · page-size · all-messages
messages.offset: ignored · honoured · rejected
messages.limit-maximum: 100 · 500 · none
messages.limit-out-of-range: rejected · clamped · default
messages.unknown-thread: empty · not-found
messages.headers: object · list · omitted
messages.authentication: headers · field · omitted
messages.outbound-direction: outbound · sent
messages.empty-body: empty-string · null · absent
messages.empty-sender: as-written · name-only
messages.attachment-entry: full · url-only · download-url
messages.attachment-url: open · required
webhooks.filter-names: agent+event · agent_handle+event_type · handle+type
webhooks.agent-filter-unscoped: excluded · included
webhooks.auth-token-absent: absent · null · empty-string
webhooks.unscoped-handle: null · absent · empty-string
webhooks.order: created-asc · created-desc · unspecified
events.envelope: id-event-data · type-timestamp-data · flat
events.data: flat · nested · flat-full
events.body-bytes: compact · spaced · escaped
events.token-placement: authorization-bearer · x-auth-token · not-sent
events.signature: none · standard-webhooks · timestamped-hmac
events.retries: exponential-5 · none · svix
events.retry-after: ignored · honoured
events.gone: retried · final
events.timeout: 10s · 5s · 15s · 30s
events.success: 2xx · 200-only
events.duplicates: exactly-once · occasional-duplicate
events.order: in-order · shuffled
events.listed: before-the-event · after-the-event
events.bounced-sender: sending-agent · organization
limits.rate: none · 60-per-minute
limits.body-size: 1mb · 100kb
format.timestamps: milliseconds · seconds
format.cors: none · permissive
`

const frozenAssumptions = frozen
  .trim()
  .split('\n')
  .map((line): [string, string[]] => {
    const [id = '', assumptions = ''] = line.split(': ')
    return [id, assumptions.split(' · ')]
  })

const entries: [string, Gap][] = Object.entries(gaps)

describe('the register of gaps', () => {
  it('has the frozen ids and assumptions, in order', () => {
    expect(entries.map(([id, gap]) => [id, namesOfAssumptions(gap)])).toEqual(frozenAssumptions)
  })
})

describe('every gap', () => {
  it('has its first frozen assumption as the default', () => {
    expect(Object.entries(defaultAssumptions)).toEqual(frozenAssumptions.map(([id, [first]]) => [id, first]))
  })

  it('names one of its assumptions as the worst', () => {
    for (const [id, gap] of entries) {
      expect(namesOfAssumptions(gap), id).toContain(gap.worst)
    }
  })

  it('has a question, its evidence and parts, and an explanation and example of every assumption', () => {
    for (const [id, gap] of entries) {
      const { question, evidence, parts } = gap
      expect(question, id).toMatch(/\S\?$/)
      expect(evidence.trim(), id).not.toBe('')
      expect(parts, id).not.toHaveLength(0)
      for (const { means, example } of describeAssumptions(gap)) {
        expect(means, id).toMatch(/^.*\S\.$/s)
        expect(example.trim(), id).not.toBe('')
      }
    }
  })

  it('concerns operations, fields of resources, or events', () => {
    for (const [id, { concerns }] of entries) {
      expect(concerns, id).not.toHaveLength(0)
      for (const concern of concerns) {
        if (concern === 'events' || (operationNames as string[]).includes(concern)) continue
        expect(concern, id).toMatch(/^(Identity|Thread|Message|Webhook)\.[a-z_]+$/)
      }
    }
  })
})
