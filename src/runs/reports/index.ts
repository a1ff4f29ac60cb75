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
export { alignCells } from './human.js'
export type { JunitCase, JunitProblem, JunitSuite } from './junit.js'
export {
  type Detail,
  type Finding,
  formatSeconds,
  formatSpan,
  hideRunDetails,
  hideSecretArguments,
  plainStyle,
  type RecordedRun,
  type Recording,
  type Report,
  recordWorld,
  type SharedRecording,
  type Style,
} from './report.js'
export type { ListedLine, Paragraph, Table, TableCell, TableRow, Tone } from './table.js'
export {
  appendToFile,
  explainWriteError,
  isFolder,
  makeFolder,
  prepareFile,
  writeFileWhole,
} from './write-file.js'
