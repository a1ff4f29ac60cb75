export { type Fuzzed, type FuzzOptions, fuzz } from './fuzz.js'
export { defaultKinds, type Vary, varyKinds } from './kinds/vary.js'
export { fuzzReport } from './report.js'
export type { SearchWatcher } from './search.js'
