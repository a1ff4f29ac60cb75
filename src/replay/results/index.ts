export { makeFolder } from './make-folder.js'
export { prepareResults, writeResults } from './results.js'
