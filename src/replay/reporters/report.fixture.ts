import { type CommandOutcome, isFine, type ReplayReport, reportFormat, reportVersion } from '../report.js'
import type { Verdict } from '../verdict.js'

const start = '2026-01-05T09:00:00.000Z'
const end = '2026-01-05T09:03:30.000Z'

/** A verdict of a report. */
export function verdict(more: Partial<Verdict> = {}): Verdict {
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

/** A verdict that is not as it should be. */
export function failedVerdict(more: Partial<Verdict> = {}): Verdict {
  return verdict({
    kind: 'request',
    describe: 'It asked for the threads of its own handle.',
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

/** What became of a command. */
export function command(more: Partial<CommandOutcome> = {}): CommandOutcome {
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

/** A report of a story. */
export function report(more: Partial<ReplayReport> = {}): ReplayReport {
  const parts = {
    verdicts: [verdict()],
    command: command(),
    timeline: { played: [{ name: 'follow-up', at: '2026-01-05T09:00:30.000Z', problem: null }], left: 0 },
    tape: null,
    ...more,
  }
  return {
    format: reportFormat,
    version: reportVersion,
    scenario: 'refund-request',
    describe: 'A customer asks for a refund.',
    seed: 7,
    readings: { 'threads.total': 'page-size' },
    clock: '10x',
    started_at: start,
    ended_at: end,
    passed: isFine(parts),
    requests: 14,
    deliveries: 1,
    reliances: [],
    wall_ms: 21_400,
    ...parts,
  }
}
