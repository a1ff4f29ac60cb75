import { defineGap, everyOperation } from './gap.js'

/** Silent points of errors. @see interface 7 */
export const errorGaps = {
  'errors.body': defineGap({
    question: 'What shape does the body of an error have?',
    parts: ['7'],
    concerns: everyOperation,
    learnedBy: 'reads',
    assumptions: {
      'error-object':
        'An object `error` holds a `code` for programs and a `message` for people – for example 404 → {"error": {"code": "not_found", "message": "No identity nobody."}}',
      flat: '`code` and `message` are at the top level – for example 404 → {"code": "not_found", "message": "No identity nobody."}',
      problem:
        'Problem details (RFC 9457) of type `application/problem+json` – for example 404 → {"type": "about:blank", "title": "Not Found", "status": 404, "detail": "No identity nobody."}',
      detail:
        'A single string `detail`, without a code – for example 404 → {"detail": "No identity nobody."}',
      message:
        'A single string `message`, without a code – for example 404 → {"message": "No identity nobody."}',
    },
    worst: 'message',
    advice:
      'Decide by the status; parse the body whether its type is `application/json` or ends in `+json`. ' +
      'For display, take the first string among `error.message`, `message` and `detail`, and expect no code.',
    evidence:
      'wirebox-sh/docs: {"error": {"code", "message"}}. Postmark: flat. RFC 9457: problem details. Inkbox: `detail`.',
  }),
  'errors.validation-status': defineGap({
    question: 'Which status does an invalid request get?',
    parts: ['7'],
    concerns: everyOperation,
    learnedBy: 'reads',
    assumptions: {
      '400':
        'A parameter or body that breaks a rule gets 400 Bad Request – for example GET /api/v1/mail/threads?limit=abc → 400, "code": "invalid_request"',
      '422':
        'A parameter or body that breaks a rule gets 422 Unprocessable Content – for example GET /api/v1/mail/threads?limit=abc → 422, "code": "invalid_request"',
    },
    worst: '422',
    advice: 'Treat 400 and 422 alike: the request itself is wrong, so correct it instead of retrying it.',
    evidence: 'wirebox-sh/docs: 400 `invalid_request`. AgentMail: 422.',
  }),
  'errors.not-found-code': defineGap({
    question: 'Which `code` does a 404 carry?',
    parts: ['7'],
    concerns: ['identities.get', 'identities.update', 'threads.list', 'messages.list'],
    learnedBy: 'reads',
    assumptions: {
      generic:
        'One code for everything that is missing – for example GET /api/v1/identities/nobody → 404, "code": "not_found"',
      specific:
        'The code names the kind of thing that is missing – for example GET /api/v1/identities/nobody → 404, "code": "agent_not_found"',
    },
    worst: 'generic',
    advice: 'Decide by the status 404, never by the code; what is missing is what the request named.',
    evidence: 'wirebox-sh/docs: `not_found`. Clients also know `agent_not_found`.',
  }),
  'errors.method-not-allowed': defineGap({
    question: 'What does a documented path return for a method that is not documented for it?',
    parts: ['4', '7'],
    concerns: everyOperation,
    // Every documented path supports GET; any other method might write.
    learnedBy: 'writes',
    assumptions: {
      '405':
        '405 Method Not Allowed, with an `Allow` field that lists the documented methods – for example DELETE /api/v1/identities/eva → 405, Allow: GET, PATCH',
      '404':
        '404 Not Found, as for a path that does not exist, and no `Allow` field – for example DELETE /api/v1/identities/eva → 404',
    },
    default: '405',
    worst: '404',
    advice:
      'Send only documented methods; if you try another, treat 404 and 405 alike. ' +
      'Never conclude from a 404 to such a method that the resource is gone.',
    evidence: 'none',
  }),
  'errors.unknown-operation': defineGap({
    question: 'What does an undocumented path below /api/v1 return?',
    parts: ['4', '7'],
    concerns: everyOperation,
    learnedBy: 'reads',
    assumptions: {
      '404': '404 Not Found, for every method – for example GET /api/v1/mail/drafts → 404',
      '501': '501 Not Implemented, for every method – for example GET /api/v1/mail/drafts → 501',
    },
    worst: '501',
    advice:
      'Call only documented paths; if you try another one, treat 404 and 501 alike: the service does not offer it. ' +
      'Exclude 501 when you retry requests that failed with a 5xx status.',
    evidence: 'none',
  }),
} as const
