import { environmentVariable } from './environment.js'
import { TraceError } from './trace-error.js'

const variable = 'MAILBOX_SIM_TRACE'

/** Where the lines of a trace go. */
export interface TraceFile {
  /** Adds a line; false where that cannot be done, of which somebody is told once. */
  append(line: string): boolean
}

/**
 * Opens the file of a trace, the one `MAILBOX_SIM_TRACE` names where none is given; undefined where there is none.
 * `onFailure` is told once when it can be written no longer.
 * @throws TraceError where it cannot be written
 */
export async function openTraceFile(
  given: string | undefined,
  onFailure: (error: TraceError) => void,
): Promise<TraceFile | undefined> {
  const named = given ?? environmentVariable(variable)
  if (named === undefined) return undefined
  const { appendFileSync } = await import('node:fs')
  const { dirname, resolve } = await import('node:path')
  // Resolved now, because the program under test may go to another folder.
  const file = resolve(named)
  const place = { file, folder: dirname(file), from: given === undefined ? `${variable}: ` : '' }
  try {
    appendFileSync(file, '')
  } catch (error) {
    throw refusal(place, error)
  }
  let isTold = false
  return {
    append(line) {
      try {
        appendFileSync(file, `${line}\n`)
        return true
      } catch (error) {
        if (!isTold) onFailure(loss(place, error))
        isTold = true
        return false
      }
    },
  }
}

interface Place {
  readonly file: string
  readonly folder: string
  /** Whose wish it is, where it is nobody's who called. */
  readonly from: string
}

function refusal(place: Place, error: unknown): TraceError {
  const { why, remedy } = explain(place, error)
  return new TraceError(`${place.from}"${place.file}" cannot be written, since ${why}; ${remedy}.`)
}

function loss(place: Place, error: unknown): TraceError {
  const { why } = explain(place, error)
  const until = 'reliances are missing in it from now on'
  return new TraceError(`${place.from}"${place.file}" cannot be written any more, since ${why}; ${until}.`)
}

/** What an error of the file system means for a file that is to be written. */
function explain({ folder }: Place, error: unknown): { why: string; remedy: string } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  switch (code) {
    case 'ENOENT':
      return { why: `there is no folder "${folder}"`, remedy: 'make it, or name another file' }
    case 'EISDIR':
      return { why: 'it is a folder', remedy: 'name a file in it' }
    case 'ENOTDIR':
      return { why: `"${folder}" is no folder`, remedy: 'name another file' }
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return { why: 'permission is denied', remedy: 'allow it, or name another file' }
    default:
      return { why: `the system says ${code}`, remedy: 'name another file' }
  }
}
