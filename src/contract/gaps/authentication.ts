import { defineGap } from './gap.js'

const everyOperation = [
  'identities.get',
  'identities.update',
  'threads.list',
  'messages.list',
  'webhooks.list',
] as const

/** Silent points of authentication, errors, query parameters and paths. @see interface 4, 5, 7 */
export const authenticationGaps = {
  'auth.webhooks': defineGap({
    question: 'Does the list of webhooks require the `Authorization` header?',
    parts: ['4.5', '5'],
    concerns: ['webhooks.list'],
    readings: [
      {
        name: 'required',
        means: 'A request for the list without a valid bearer key is refused.',
        example: 'GET /api/v1/webhooks without Authorization → 401',
      },
      {
        name: 'not-required',
        means: 'A request without the header is answered for the first organization of the scenario.',
        example: 'GET /api/v1/webhooks without Authorization → 200, the webhooks of that organization',
      },
    ],
    worst: 'required',
    evidence: 'SI: its overview has every call carry a key.',
  }),
  'auth.keys': defineGap({
    question: 'Which bearer keys are valid?',
    parts: ['5'],
    concerns: everyOperation,
    readings: [
      {
        name: 'any-key',
        means: 'Every bearer key is valid; one the scenario does not list stands for its first organization.',
        example: 'Authorization: Bearer anything → 200, as the first organization',
      },
      {
        name: 'listed-keys',
        means: 'Only the keys that the scenario lists are valid, each for its own organization.',
        example: 'Authorization: Bearer anything, api_keys: [test-key] → 401',
      },
    ],
    worst: 'listed-keys',
    evidence: 'none',
  }),
  'auth.missing-status': defineGap({
    question: 'Which status does a request without a valid key get?',
    parts: ['5', '7'],
    concerns: everyOperation,
    readings: [
      {
        name: '401',
        means: '401 Unauthorized, with a `WWW-Authenticate: Bearer` challenge.',
        example: 'GET /api/v1/mail/threads without Authorization → 401, "code": "unauthorized"',
      },
      {
        name: '403',
        means: '403 Forbidden, without a challenge.',
        example: 'GET /api/v1/mail/threads without Authorization → 403, "code": "forbidden"',
      },
    ],
    worst: '403',
    evidence: 'SI: 401 `unauthorized`. Resend: 401 for a missing key, 403 for an invalid one.',
  }),
  'auth.other-organization': defineGap({
    question: 'What does a key get for an identity of another organization?',
    parts: ['4.1', '4.2', '5', '7'],
    concerns: ['identities.get', 'identities.update'],
    readings: [
      {
        name: 'not-found',
        means: 'The answer is the one for a handle that nobody has.',
        example: 'GET /api/v1/identities/rival, which another organization owns → 404',
      },
      {
        name: 'forbidden',
        means: '403 Forbidden, which shows that the handle exists.',
        example: 'GET /api/v1/identities/rival, which another organization owns → 403',
      },
    ],
    worst: 'not-found',
    evidence: 'SI: lists both 403 and 404.',
  }),
  'errors.body': defineGap({
    question: 'What shape does the body of an error have?',
    parts: ['7'],
    concerns: everyOperation,
    readings: [
      {
        name: 'error-object',
        means: 'An object `error` holds a `code` for programs and a `message` for people.',
        example: '404 → {"error": {"code": "not_found", "message": "No identity nobody."}}',
      },
      {
        name: 'flat',
        means: '`code` and `message` stand at the top level.',
        example: '404 → {"code": "not_found", "message": "No identity nobody."}',
      },
      {
        name: 'problem',
        means: 'Problem details (RFC 9457) of type `application/problem+json`.',
        example:
          '404 → {"type": "about:blank", "title": "Not Found", "status": 404, "detail": "No identity nobody."}',
      },
      {
        name: 'detail',
        means: 'A single string `detail`, and no code.',
        example: '404 → {"detail": "No identity nobody."}',
      },
      {
        name: 'message',
        means: 'A single string `message`, and no code.',
        example: '404 → {"message": "No identity nobody."}',
      },
    ],
    worst: 'message',
    evidence:
      'SI: {"error": {"code", "message"}}. Postmark: flat. RFC 9457: problem details. Inkbox: `detail`.',
  }),
  'errors.validation-status': defineGap({
    question: 'Which status does an invalid request get?',
    parts: ['7'],
    concerns: everyOperation,
    readings: [
      {
        name: '400',
        means: 'A parameter or body that breaks a rule gets 400 Bad Request.',
        example: 'GET /api/v1/mail/threads?limit=abc → 400, "code": "invalid_request"',
      },
      {
        name: '422',
        means: 'A parameter or body that breaks a rule gets 422 Unprocessable Content.',
        example: 'GET /api/v1/mail/threads?limit=abc → 422, "code": "invalid_request"',
      },
    ],
    worst: '422',
    evidence: 'SI: 400 `invalid_request`. AgentMail: 422.',
  }),
  'errors.not-found-code': defineGap({
    question: 'Which `code` does a 404 carry?',
    parts: ['7'],
    concerns: ['identities.get', 'identities.update', 'threads.list', 'messages.list'],
    readings: [
      {
        name: 'generic',
        means: 'One code for everything that is missing.',
        example: 'GET /api/v1/identities/nobody → 404, "code": "not_found"',
      },
      {
        name: 'specific',
        means: 'The code names the kind of thing that is missing.',
        example: 'GET /api/v1/identities/nobody → 404, "code": "agent_not_found"',
      },
    ],
    worst: 'generic',
    evidence: 'SI: `not_found`. Clients also know `agent_not_found`.',
  }),
  'errors.method-not-allowed': defineGap({
    question: 'What does a documented path answer to a method it is not documented for?',
    parts: ['4', '7'],
    concerns: everyOperation,
    readings: [
      {
        name: '405',
        means: '405 Method Not Allowed, with an `Allow` field that lists the documented methods.',
        example: 'DELETE /api/v1/identities/eva → 405, Allow: GET, PATCH',
      },
      {
        name: '404',
        means: '404 Not Found, as for a path that does not exist, and no `Allow` field.',
        example: 'DELETE /api/v1/identities/eva → 404',
      },
    ],
    worst: '404',
    evidence: 'none',
  }),
  'errors.unknown-operation': defineGap({
    question: 'What does a path below /api/v1 that is not documented answer?',
    parts: ['4', '7'],
    concerns: everyOperation,
    readings: [
      {
        name: '404',
        means: '404 Not Found, whatever the method.',
        example: 'GET /api/v1/mail/drafts → 404',
      },
      {
        name: '501',
        means: '501 Not Implemented, whatever the method.',
        example: 'GET /api/v1/mail/drafts → 501',
      },
    ],
    worst: '501',
    evidence: 'none',
  }),
  'query.unknown-parameters': defineGap({
    question: 'What happens to a query parameter that the operation does not have?',
    parts: ['4'],
    concerns: everyOperation,
    readings: [
      {
        name: 'ignored',
        means: 'The answer is the same as without the parameter.',
        example: 'GET /api/v1/mail/threads?colour=red → 200, the same threads as without it',
      },
      {
        name: 'rejected',
        means: 'The request is invalid and the error names the parameter.',
        example: 'GET /api/v1/mail/threads?colour=red → 400',
      },
    ],
    worst: 'rejected',
    evidence: 'common practice',
  }),
  'query.repeated-parameter': defineGap({
    question: 'Which value counts when a query parameter is given twice?',
    parts: ['4.3', '4.4', '4.5'],
    concerns: ['threads.list', 'messages.list', 'webhooks.list'],
    readings: [
      {
        name: 'first',
        means: 'The first value counts and the others are ignored.',
        example: 'GET /api/v1/mail/threads?agent=eva&agent=max → the threads of eva',
      },
      {
        name: 'last',
        means: 'The last value counts and the others are ignored.',
        example: 'GET /api/v1/mail/threads?agent=eva&agent=max → the threads of max',
      },
      {
        name: 'rejected',
        means: 'The request is invalid, even when both values are the same.',
        example: 'GET /api/v1/mail/threads?agent=eva&agent=max → 400',
      },
    ],
    worst: 'rejected',
    evidence: 'none',
  }),
  'path.trailing-slash': defineGap({
    question: 'Is a path with a slash at its end the same path?',
    parts: ['4'],
    concerns: everyOperation,
    readings: [
      {
        name: 'not-found',
        means: 'It is another path, one that is not documented.',
        example: 'GET /api/v1/webhooks/ → 404',
      },
      {
        name: 'same',
        means: 'It is the same path and is answered directly, without a redirect.',
        example: 'GET /api/v1/webhooks/ → 200, the same webhooks as /api/v1/webhooks',
      },
    ],
    worst: 'not-found',
    evidence: 'none',
  }),
} as const
