export { type CalibrateOptions, type Calibration, calibrate, planOf } from './calibrate.js'
export {
  asFields,
  CalibrationError,
  describeExchange,
  type Fields,
  objectOf,
  refuseWrongKey,
  shownValue,
} from './exchange.js'
export { handlesIn, ownAddressesOf } from './mailbox-view.js'
export { get, identityRequest } from './reads.js'
export {
  calibrationReport,
  type DocumentOptions,
  documentOf,
  formatLiveAssumptions,
  journalOf,
} from './report.js'
export { SavedRun } from './saved-run.js'
export { type ClientOptions, type DownloadedFile, ServiceClient } from './service-client.js'
