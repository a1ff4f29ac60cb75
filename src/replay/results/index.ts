export { prepareResults, writeResults } from './results.js'
