export type { WantedGaps } from './candidates.js'
export { type Changes, countChanges, formatChange, formatChanges, listChanges } from './changes.js'
export { type ExploreOptions, explore } from './explore.js'
export { ExploreError } from './explore-error.js'
export type {
  ExploreReport,
  ReportedBreak,
  ReportedGap,
  ReportedRun,
  ReportedTry,
} from './report.js'
export type { Watcher } from './runner.js'
export type { Trial } from './trial.js'
