import { defineGap, everyOperation } from './gap.js'

/** Silent points of authentication. @see interface 5 */
export const authenticationGaps = {
  'auth.webhooks': defineGap({
    question: 'Does the list of webhooks require the `Authorization` header?',
    parts: ['4.5', '5'],
    concerns: ['webhooks.list'],
    learnedBy: 'reads',
    assumptions: {
      required:
        'A request for the list without a valid bearer key is refused – for example GET /api/v1/webhooks without Authorization → 401',
      'not-required':
        'A request without the header acts for the first organization of the scenario – for example GET /api/v1/webhooks without Authorization → 200, the webhooks of that organization',
    },
    worst: 'required',
    advice: 'Send the `Authorization` header with every request, the list of webhooks included.',
    evidence: 'wirebox-sh/docs: according to its overview, every call carries a key.',
  }),
  'auth.keys': defineGap({
    question: 'Which bearer keys are valid?',
    parts: ['5'],
    concerns: everyOperation,
    learnedBy: 'reads',
    assumptions: {
      'any-key':
        'Every bearer key is valid; an unlisted one acts for the first organization of the scenario – for example Authorization: Bearer anything → 200, as the first organization',
      'listed-keys':
        'Only the keys that the scenario lists are valid, each for its own organization – for example Authorization: Bearer anything, api_keys: [test-key] → 401',
    },
    worst: 'listed-keys',
    advice:
      'Take the key from your configuration, and use one that the scenario lists in tests. ' +
      'Never rely on a wrong key being refused.',
    evidence: 'none',
  }),
  'auth.missing-status': defineGap({
    question: 'Which status does a request without a valid key get?',
    parts: ['5', '7'],
    concerns: everyOperation,
    learnedBy: 'reads',
    assumptions: {
      '401':
        '401 Unauthorized, with a `WWW-Authenticate: Bearer` challenge – for example GET /api/v1/mail/threads without Authorization → 401, "code": "unauthorized"',
      '403':
        '403 Forbidden, without a challenge – for example GET /api/v1/mail/threads without Authorization → 403, "code": "forbidden"',
    },
    worst: '403',
    advice:
      'Treat 401 and 403 alike: stop, report that the key is not accepted, and do not retry the request. ' +
      'Do not wait for a `WWW-Authenticate` challenge.',
    evidence: 'wirebox-sh/docs: 401 `unauthorized`. Resend: 401 for a missing key, 403 for an invalid one.',
  }),
  'auth.other-organization': defineGap({
    question: 'What does a key get for an identity of another organization?',
    parts: ['4.1', '4.2', '5', '7'],
    concerns: ['identities.get', 'identities.update'],
    // Nobody knows the handles of an organization whose key they do not have.
    learnedBy: 'none',
    assumptions: {
      'not-found':
        'The response is the same as for a handle that does not exist – for example GET /api/v1/identities/rival, which belongs to another organization → 404',
      forbidden:
        '403 Forbidden, which shows that the handle exists – for example GET /api/v1/identities/rival, which belongs to another organization → 403',
    },
    worst: 'not-found',
    advice:
      'Treat 403 and 404 for an identity alike: your key cannot use it. ' +
      'Neither status shows whether another organization has the handle.',
    evidence: 'wirebox-sh/docs: lists both 403 and 404.',
  }),
} as const
