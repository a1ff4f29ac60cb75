export { judgeResults, recordTrial } from './judge.js'
export { readKeptPlay } from './kept-play.js'
export { ResultsFolder } from './results-folder.js'
