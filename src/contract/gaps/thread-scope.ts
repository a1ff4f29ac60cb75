import { defineGap } from './gap.js'

/** Silent points of what a filter of the list of threads selects. @see interface 4.3 */
export const threadScopeGaps = {
  'threads.unknown-agent': defineGap({
    question: 'What does a filter by an unknown agent or mailbox answer?',
    parts: ['4.3', '7'],
    concerns: ['threads.list'],
    readings: [
      {
        name: 'empty',
        means: 'The filter matches nothing and the list is empty.',
        example: 'agent=nobody → 200, "threads": []',
      },
      {
        name: 'not-found',
        means: 'An agent or mailbox that the organization does not have is a 404.',
        example: 'agent=nobody or mailbox=nobody@agents.example → 404',
      },
    ],
    worst: 'not-found',
    advice:
      'Treat a 404 and an empty list alike, as no threads. ' +
      'To learn whether an agent exists, read its identity.',
    evidence: 'none',
  }),
  'threads.agent-at-prefix': defineGap({
    question: 'Does a filter by agent accept a handle with a leading `@`?',
    parts: ['4.3', '4.4', '4.5'],
    concerns: ['threads.list', 'messages.list', 'webhooks.list'],
    readings: [
      {
        name: 'same-agent',
        means: 'The `@` is dropped, so that both forms name the same agent.',
        example: 'agent=@eva → the threads of eva',
      },
      {
        name: 'no-match',
        means: 'The `@` is part of the handle, which makes it the handle of an unknown agent.',
        example: 'agent=@eva → 200, "threads": []',
      },
    ],
    worst: 'no-match',
    advice: 'Strip a leading `@` from a handle before you filter by it.',
    evidence: 'Reading an identity accepts both forms.',
  }),
  'threads.mailbox-case': defineGap({
    question: 'Does the case of a mailbox address in a filter matter?',
    parts: ['4.3'],
    concerns: ['threads.list'],
    readings: [
      {
        name: 'insensitive',
        means: 'Local part and domain match in any case.',
        example: 'mailbox=EVA@Agents.Example → the threads of eva@agents.example',
      },
      {
        name: 'exact',
        means: 'The address matches only as it is stored, letter by letter.',
        example: 'mailbox=EVA@Agents.Example → 200, "threads": []',
      },
    ],
    worst: 'exact',
    advice: 'Filter by `mailbox_address` exactly as the identity shows it, or by `agent` instead.',
    evidence: 'mail practice',
  }),
  'threads.unscoped': defineGap({
    question: 'Which threads are listed when neither `agent` nor `mailbox` is given?',
    parts: ['4.3'],
    concerns: ['threads.list'],
    readings: [
      {
        name: 'all',
        means: 'Every thread of the organization of the key.',
        example: 'GET /api/v1/mail/threads → the threads of eva, max and every other agent',
      },
      {
        name: 'rejected',
        means: 'One of the two filters is needed, and without them the request is invalid.',
        example: 'GET /api/v1/mail/threads → 400',
      },
      {
        name: 'empty',
        means: 'No thread is in scope and the list is empty.',
        example: 'GET /api/v1/mail/threads → 200, "threads": []',
      },
    ],
    worst: 'rejected',
    advice: 'Give `agent` or `mailbox` with every request; for several agents, ask once for each.',
    evidence: 'The interface calls both filters optional (4.3).',
  }),
} as const
