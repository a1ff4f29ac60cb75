import type { ReplayReport } from '../../../src/runs/replay/outcome.js'
import type { ExpectationResult } from '../../../src/story/expectations/kinds.js'

const start = '2026-01-05T09:00:00.000Z'
const end = '2026-01-05T09:03:30.000Z'

/** Returns the result of an expectation that passed. */
export function result(more: Partial<ExpectationResult> = {}): ExpectationResult {
  return {
    index: 0,
    key: null,
    kind: 'thread',
    describe: 'The agent opened the thread.',
    passed: true,
    at: end,
    expected: 'thread "refund" of support has unread false at the end',
    found: 'unread: false',
    nearest: null,
    ...more,
  }
}

/** Returns the result of an expectation that failed. */
export function failedResult(more: Partial<ExpectationResult> = {}): ExpectationResult {
  return result({
    kind: 'request',
    describe: 'It asks for the threads of its own handle.',
    passed: false,
    expected: 'at least 1 request of threads.list with query.agent "support"',
    found: '0 of 14 requests of threads.list',
    nearest: {
      line: 'GET /api/v1/mail/threads?agent=billing 200',
      exchange: 3,
      at: '2026-01-05T09:01:10.400Z',
      differences: ['query.agent: expected "support", found "billing"'],
    },
    ...more,
  })
}

/** Returns the outcome of a command. */
export function command(more: Partial<ReplayReport['command']> = {}): NonNullable<ReplayReport['command']> {
  return {
    command: ['python', 'my agent.py'],
    status: 0,
    signal: null,
    ended: 'by-itself',
    passed: true,
    problem: null,
    notes: [],
    output: '',
    ...more,
  }
}

/** Returns a report; `passed` follows from results and command only. */
export function report(more: Partial<ReplayReport> = {}): ReplayReport {
  const parts = {
    verdicts: [result()],
    broken_rules: [],
    runaway: null,
    command: command(),
    timeline: {
      played: [{ name: 'follow-up', at: '2026-01-05T09:00:30.000Z', problem: null }],
      left: 0,
      never: [],
    },
    ...more,
  }
  return {
    format: 'agent-mailbox-sim/replay-report',
    version: 1,
    scenario: 'refund-request',
    describe: 'A customer asks for a refund.',
    seed: 7,
    assumptions: { 'threads.total': 'page-size' },
    clock: '10x',
    started_at: start,
    ended_at: end,
    passed: parts.verdicts.every(({ passed }) => passed) && parts.command?.passed !== false,
    not_judged: null,
    score: 1,
    digest: '0123456789abcdef0123456789abcdef',
    interrupted: false,
    cause: null,
    hints: [],
    requests: 14,
    served: { responses: 14, bytes: 48_210, tokens: 12_050, messages: 9, repeated: 3 },
    deliveries: 1,
    reliances: [],
    wall_ms: 21_400,
    ...parts,
  }
}
