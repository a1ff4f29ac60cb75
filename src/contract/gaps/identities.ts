import { defineGap, everyOperation } from './gap.js'

/** Silent points of identities. @see interface 2.1, 4.1, 4.2 */
export const identityGaps = {
  'identities.handle-case': defineGap({
    question: 'Does the case of a handle matter?',
    parts: ['2.1', '4.1', '4.2', '4.3', '4.4', '4.5'],
    concerns: everyOperation,
    learnedBy: 'reads',
    assumptions: {
      exact:
        'The case of every letter must match, in a path and in a filter – for example GET /api/v1/identities/Eva, the handle is eva → 404',
      insensitive:
        'A handle matches in any case and is returned as it was created – for example GET /api/v1/identities/Eva → 200, "agent_handle": "eva"',
    },
    worst: 'exact',
    advice: 'Keep `agent_handle` as the service returned it, and send and compare it in exactly that form.',
    evidence: 'none',
  }),
  'identities.handle-format': defineGap({
    question: 'What does a path return if its handle contains invalid characters?',
    parts: ['2.1', '4.1', '4.2', '7'],
    concerns: ['identities.get', 'identities.update'],
    learnedBy: 'reads',
    assumptions: {
      'not-found':
        'The response is the same as for a handle that does not exist – for example GET /api/v1/identities/e%20v%20a → 404',
      rejected:
        'The handle is validated first, and one that cannot exist makes the request invalid – for example GET /api/v1/identities/e%20v%20a → 400',
    },
    worst: 'rejected',
    advice:
      'Percent-encode the handle, and treat 400, 404 and 422 alike when you look one up: the agent does not exist.',
    evidence: 'wirebox-sh/docs: a handle has 2 to 32 letters, digits and underscores.',
  }),
  'identities.patch-at-handle': defineGap({
    question: 'What does an update of a handle with a leading `@` do?',
    parts: ['4.2'],
    concerns: ['identities.update'],
    learnedBy: 'writes',
    assumptions: {
      'same-identity':
        'The `@` is dropped, as in a read, and the identity is updated – for example PATCH /api/v1/identities/@eva {"display_name": "Eva"} → 200, eva is updated',
      'not-found':
        'The `@` counts as part of the handle, and no such handle exists – for example PATCH /api/v1/identities/@eva {"display_name": "Eva"} → 404, nothing changed',
      rejected:
        'The `@` makes the request invalid – for example PATCH /api/v1/identities/@eva {"display_name": "Eva"} → 400, nothing changed',
    },
    worst: 'rejected',
    advice:
      'Strip a leading `@` before an update; the `agent_handle` that the service returns never has one.',
    evidence: 'Reading an identity accepts both forms.',
  }),
  'identities.patch-empty-body': defineGap({
    question: 'What does an update with an empty object or no body do?',
    parts: ['4.2'],
    concerns: ['identities.update', 'Identity.updated_at'],
    learnedBy: 'writes',
    assumptions: {
      unchanged:
        'It succeeds and changes nothing, `updated_at` included – for example PATCH /api/v1/identities/eva {} → 200, the same "updated_at" as before',
      touched:
        'It succeeds and sets `updated_at` to the time of the request, and nothing else – for example PATCH /api/v1/identities/eva {} at 09:30 → 200, "updated_at": "2026-01-05T09:30:00.000Z"',
      rejected:
        'An update that names no field is an invalid request – for example PATCH /api/v1/identities/eva {} → 400, nothing changed',
    },
    worst: 'rejected',
    advice:
      'Send an update only when there is a field to set. ' + 'To learn whether an identity exists, read it.',
    evidence: 'wirebox-sh/docs: its clients send {} and parse an identity from the response.',
  }),
  'identities.patch-unknown-fields': defineGap({
    question: 'What does an update with fields other than the documented two do?',
    parts: ['4.2'],
    concerns: ['identities.update'],
    learnedBy: 'writes',
    assumptions: {
      ignored:
        'The other fields have no effect, and the documented ones are updated – for example PATCH {"display_name": "Eva", "mood": "fine"} → 200, "display_name": "Eva", no "mood"',
      rejected:
        'The whole request is invalid and nothing is updated – for example PATCH {"display_name": "Eva", "mood": "fine"} → 400, nothing changed',
    },
    worst: 'rejected',
    advice: 'Send `display_name` and `description` only, never a whole identity that you have read.',
    evidence: 'common practice',
  }),
  'identities.patch-null': defineGap({
    question: 'What does an update with null for a field do?',
    parts: ['4.2'],
    concerns: ['identities.update', 'identities.get', 'Identity.display_name', 'Identity.description'],
    learnedBy: 'writes',
    assumptions: {
      rejected:
        'Null is not a string, so the request is invalid and nothing is updated – for example PATCH {"description": null} → 400, nothing changed',
      'empty-string':
        'Null clears the field to the empty string – for example PATCH {"description": null} → 200, "description": ""',
      null: 'Null is stored and returned as null – for example PATCH {"description": null} → 200, "description": null',
    },
    worst: 'rejected',
    advice:
      'Leave out a field that should stay unchanged, and send the empty string to clear one. ' +
      'When you read an identity, treat null as the empty string.',
    evidence: 'wirebox-sh/docs: its later docs have null clear the description.',
  }),
  'identities.patch-content-type': defineGap({
    question: 'What does an update whose `Content-Type` is not JSON, or is missing, do?',
    parts: ['4.2'],
    concerns: ['identities.update'],
    learnedBy: 'writes',
    assumptions: {
      rejected:
        'The request is invalid, with the status that any invalid request gets – for example PATCH with Content-Type: text/plain → 400, nothing changed',
      'unsupported-media-type':
        'The request is refused with 415 Unsupported Media Type – for example PATCH with Content-Type: text/plain → 415, nothing changed',
      parsed:
        'The body is read as JSON regardless of its declared type – for example PATCH with Content-Type: text/plain and {"display_name": "Eva"} → 200, eva is updated',
    },
    worst: 'unsupported-media-type',
    advice:
      'Set `Content-Type: application/json` on every update; by default, `fetch` sends strings as `text/plain`.',
    evidence: 'none',
  }),
} as const
