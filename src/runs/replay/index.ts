export {
  failedEntries,
  failedExpectations,
  judgedExpectations,
  type NotJudged,
  type ReplayReport,
} from './outcome.js'
export { type Replayed, type ReplayOptions, replayAndKeep, reportOf } from './replay.js'
export { describeProblems, prepareResults, replayReport, silenceOf, writeResults } from './report.js'
