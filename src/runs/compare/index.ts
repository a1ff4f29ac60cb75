export { compareResults, type TrialsComparison } from './compare.js'
export { comparisonReport, headlineOf } from './comparison-report.js'
export { type Results, readResults, resultsOf } from './results.js'
