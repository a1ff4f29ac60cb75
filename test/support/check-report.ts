import type { CheckReport } from '../../src/runs/check/check-report.js'

/** The report of a check in which nothing was disturbed. */
export const emptyCheckReport: CheckReport = {
  ...{ format: 'agent-mailbox-sim/check-report', version: 1 },
  ...{ scenario: 'desk', seed: 1, command: ['./agent'], passed: true, in_process: false },
  undisturbed: { plays: 2, passed: 2, refusal: null, broken: [] },
  disturbances: { planned: 0, tried: 0 },
  ...{ findings: [], known: [], unsure: [], spoiled: [], kinds: {}, untried: [] },
  ...{ interrupted: false, plays: 2, wall_ms: 0 },
}
