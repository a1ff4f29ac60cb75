import { describe, expect, it } from 'vitest'
import { storyWorlds } from '../../../test/support/world/any-story.js'
import { document, documentWith, refusalOf } from '../../../test/support/world/changed-world.js'
import { annsMail } from '../../../test/support/world/small-world.js'
import type { World } from '../world.js'

const chosen = { reading: 'page-size', from: 'a file' }

describe('a malformed snapshot', () => {
  it.each<[unknown, RegExp]>([
    [document, /the document: it is a string/],
    [null, /the document: .* received null/],
    [[JSON.parse(document)], /the document: .* received array/],
    [{ openapi: '3.1.0' }, /format: .* "agent-mailbox-sim\/snapshot"/],
  ])('is refused as a whole: %#', (given, problem) => {
    expect(refusalOf(given)).toEqual({ code: 'malformed', message: expect.stringMatching(problem) })
  })

  it.each<[string, unknown, RegExp]>([
    ['version', undefined, /version: /],
    ['version', '1', /version: .*expected (int|number)/],
    ['more', 1, /the document: unknown key "more"/],
    ['rows', undefined, /rows: /],
    ['rows.message.0.more', 1, /rows\.message\[0\]: unknown key "more"/],
    ['rows.thread.1.subject', undefined, /rows\.thread\[1\]\.subject: /],
    ['rows.thread.0.last_message_at', 9e15, /last_message_at: expected an instant, in milliseconds/],
    ['rows.thread.0.id', 'msg_1', /rows\.thread\[0\]\.id: expected an id such as thrd_/],
    ['rows.identity.1.agent_handle', 'a b', /rows\.identity\[1\]\.agent_handle: expected a handle/],
    ['rows.attachment.0.content', '?', /rows\.attachment\[0\]\.content: expected a file in base64/],
    ['rows.webhook.0.url', 'ftp://x/', /rows\.webhook\[0\]\.url: /],
    ['clock.now', '2026-02-30T09:00:00Z', /clock\.now: expected an ISO 8601 instant/],
    ['clock.now', '9999-12-31T23:59:59-12:00', /clock\.now: expected an ISO 8601 instant/],
    ['clock.mode', 'fast', /clock\.mode: expected real, frozen or a speed/],
    ['faults.rules.0.fault', {}, /faults\.rules\[0\]\.fault: expected something that it does/],
    ['faults.rules.0.id', 'x', /faults\.rules\[0\]\.id: expected an id such as fault_1/],
  ])('is refused with %s: %j', (place, value, problem) => {
    const refusal = refusalOf(documentWith({ [place]: value }))
    expect(refusal).toEqual({ code: 'malformed', message: expect.stringMatching(problem) })
    expect(refusal?.message).toMatch(/^This snapshot cannot be restored: .* Nothing has changed\.$/s)
  })

  it.each<[object, RegExp]>([
    [{ 'threads.totl': chosen }, /readings\["threads\.totl"\]: .*did you mean "threads\.total"\?/],
    [
      { 'threads.total': { ...chosen, reading: 'all' } },
      /"all" is not a reading .*Choose one of all-matches/,
    ],
    [{ 'threads.total': 'page-size' }, /readings\["threads\.total"\]: .*expected object/],
    [JSON.parse('{"__proto__": {}}'), /readings\.__proto__: unknown key/],
  ])('is refused with the readings %j', (readings, problem) => {
    const refusal = refusalOf(documentWith({ readings }))
    expect(refusal).toEqual({ code: 'malformed', message: expect.stringMatching(problem) })
  })

  it('is refused with the first problem and the number of others', () => {
    const subjects = [0, 1, 2].map((index) => [`rows.message.${index}.subject`, null])
    const refusal = refusalOf(documentWith(Object.fromEntries(subjects)))
    expect(refusal?.message).toMatch(/rows\.message\[0\]\.subject: .* \(and 2 more\)\. Nothing/)
  })
})

describe('a snapshot of another world', () => {
  it.each<[string, unknown, string, RegExp]>([
    ['version', 3, 'wrong-version', /version: it is 3, .* reads at most version 2; restore it with a newer/],
    [
      'scenario',
      'other',
      'wrong-scenario',
      /scenario: it was taken with the scenario "other", but this world has "small"/,
    ],
    ['seed', 8, 'wrong-scenario', /seed: it was taken with the seed 8, but this world has the seed 7/],
    ['fingerprint', 'x', 'wrong-scenario', /fingerprint: "small" has changed since/],
  ])('is refused by its %s: %j', (place, value, code, problem) => {
    const refusal = { code, message: expect.stringMatching(problem) }
    expect(refusalOf(documentWith({ [place]: value }))).toEqual(refusal)
    // The rest is not checked, since a newer format may differ.
    expect(refusalOf(documentWith({ [place]: value, rows: 'none', more: 1 }))).toEqual(refusal)
  })
})

describe('a snapshot with masked secrets', () => {
  it('contains no secret, is marked as such, and is refused', () => {
    const [world] = storyWorlds(1) as [World]
    world.apply({
      type: 'create-webhook',
      url: 'http://ann:pass-word-1@127.0.0.1:9/?token=in-the-url-1',
      events: ['message.received'],
      auth_token: 'token-of-a-webhook',
    })
    world.apply(annsMail({ text: 'The token is token-of-a-webhook.' }))
    const masked = world.snapshot({ secrets: 'masked' })
    expect(masked.secrets).toBe('masked')
    expect(JSON.stringify(masked)).not.toMatch(/token-of-a-webhook|pass-word-1|in-the-url-1|key-a/)
    expect(world.snapshot().secrets).toBe('included')
    expect(refusalOf(masked)).toEqual({
      code: 'masked',
      message: expect.stringContaining('secrets: its secrets are masked; restore a snapshot'),
    })
  })
})
