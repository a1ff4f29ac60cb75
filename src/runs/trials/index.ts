export {
  byTrial,
  numbersTo,
  playTrials,
  type RecordedTrial,
  seedOf,
  type TrialPlan,
  TrialSeries,
  type TrialsOptions,
} from './trials.js'
export { formatInterval, trialsReport } from './trials-report.js'
export {
  type Interval,
  meetsRequirement,
  type Requirement,
  summarizeTrials,
  type TrialRun,
  type TrialsReport,
  wilsonInterval,
} from './trials-summary.js'
