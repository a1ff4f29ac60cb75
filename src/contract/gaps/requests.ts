import { defineGap, everyOperation } from './gap.js'

/** Silent points of query parameters and paths in general. @see interface 4 */
export const requestGaps = {
  'query.unknown-parameters': defineGap({
    question: 'What happens to a query parameter that the operation does not define?',
    parts: ['4'],
    concerns: everyOperation,
    learnedBy: 'reads',
    assumptions: {
      ignored:
        'The response is the same as without the parameter – for example GET /api/v1/mail/threads?colour=red → 200, the same threads as without it',
      rejected:
        'The request is invalid and the error names the parameter – for example GET /api/v1/mail/threads?colour=red → 400',
    },
    worst: 'rejected',
    advice: 'Send only documented parameters, and no cache busters or custom labels.',
    evidence: 'common practice',
  }),
  'query.repeated-parameter': defineGap({
    question: 'Which value counts when a query parameter is given twice?',
    parts: ['4.3', '4.4', '4.5'],
    concerns: ['threads.list', 'messages.list', 'webhooks.list'],
    learnedBy: 'reads',
    assumptions: {
      first:
        'The first value counts and the others are ignored – for example GET /api/v1/mail/threads?agent=eva&agent=max → the threads of eva',
      last: 'The last value counts and the others are ignored – for example GET /api/v1/mail/threads?agent=eva&agent=max → the threads of max',
      rejected:
        'The request is invalid, even when both values are the same – for example GET /api/v1/mail/threads?agent=eva&agent=max → 400',
    },
    worst: 'rejected',
    advice:
      'Give each parameter once, with `URLSearchParams.set` rather than `append`. ' +
      'For the threads of two agents, send two requests.',
    evidence: 'none',
  }),
  'path.trailing-slash': defineGap({
    question: 'Is a path with a trailing slash the same path?',
    parts: ['4'],
    concerns: everyOperation,
    learnedBy: 'reads',
    assumptions: {
      'not-found':
        'It is a different path, which is not documented – for example GET /api/v1/webhooks/ → 404',
      same: 'It is the same path and gets its response directly, without a redirect – for example GET /api/v1/webhooks/ → 200, the same webhooks as /api/v1/webhooks',
    },
    worst: 'not-found',
    advice: 'Write paths without a trailing slash, and take care when you join them with a base URL.',
    evidence: 'none',
  }),
} as const
