export type { Replayed, ReplayOptions, ReplayStart, ReplayWatcher } from './options.js'
export { ReplayError } from './replay-error.js'
export {
  type CommandOutcome,
  type ReplayReport,
  reportFormat,
  reportVersion,
} from './report.js'
export { replay, replayAndKeep } from './run.js'
export { formatDuration, formatSpan } from './story-time.js'
export { parseVolatileList, TapeError, type TapeOutcome } from './tape/index.js'
export type { Verdict } from './verdict.js'
