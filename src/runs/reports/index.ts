export {
  type ClientCommandLine,
  formatCommand,
  formatCommandLine,
  hideSecrets,
  repeatCommandLine,
  type TypedFlag,
} from './command-line.js'
export { formatByFileName, formatReport } from './format-report.js'
export { type ReportFormat, reportFormats, textFormats } from './formats.js'
export type { JunitCase, JunitProblem, JunitSuite } from './junit.js'
export {
  type Detail,
  type Finding,
  formatSeconds,
  formatSpan,
  hideRunDetails,
  hideSecretArguments,
  type Matrix,
  plainStyle,
  type RecordedRun,
  type Recording,
  type Report,
  recordWorld,
  rowLines,
  type SharedRecording,
  type Style,
  type Table,
  type TableRow,
} from './report.js'
export { explainWriteError, isFolder, makeFolder, prepareFile, writeFileWhole } from './write-file.js'
