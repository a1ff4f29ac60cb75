export { type KeptPlay, type NamedStory, readKeptPlay } from './kept-play.js'
export { judgedExpectations, type NotJudged, type ReplayReport } from './outcome.js'
export { type ReplayOptions, replayAndKeep, reportOf } from './replay.js'
export { describeProblems, prepareResults, replayReport, silenceOf, writeResults } from './report.js'
