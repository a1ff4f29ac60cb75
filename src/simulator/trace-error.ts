/** A file for a trace of reliances that cannot be written. */
export class TraceError extends Error {
  override readonly name = 'TraceError'
  readonly code = 'unwritable'
}
