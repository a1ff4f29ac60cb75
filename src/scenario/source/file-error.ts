import { formatSize } from './sizes.js'

/** What is wanted under a name. */
export type FileKind = 'file' | 'folder'

/** A file or folder a scenario names that cannot be used. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly code: 'missing' | 'wrong-kind' | 'no-permission' | 'too-large' | 'unreadable'
  /** What is wrong with it, e.g. `is a folder, not a file`; the message has its name as well. */
  readonly reason: string

  constructor(code: FileError['code'], file: string, reason: string, message = `"${file}" ${reason}`) {
    super(message)
    this.code = code
    this.reason = reason
  }
}

/** What an error of the file system means for a name; `where` says where it was looked for. */
export function fileErrorOf(error: unknown, file: string, kind: FileKind, where = ''): FileError {
  if (error instanceof FileError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  if (code === 'ENOENT' || (code === 'ENOTDIR' && kind === 'file')) {
    return new FileError('missing', file, 'is missing', `there is no ${kind} "${file}"${where}`)
  }
  if (code === 'ENOTDIR') return new FileError('wrong-kind', file, 'is a file, not a folder')
  if (code === 'EACCES' || code === 'EPERM') {
    return new FileError('no-permission', file, 'may not be read: permission denied')
  }
  return new FileError('unreadable', file, `cannot be read (${code})`)
}

/** A folder, or something stranger, where a file is wanted. */
export function notAFile(file: string, isFolder: boolean): FileError {
  return new FileError('wrong-kind', file, `is ${isFolder ? 'a folder, not a file' : 'not a file'}`)
}

/** A file of more bytes than it may have. */
export function tooLarge(file: string, bytes: number, limit: number): FileError {
  return new FileError('too-large', file, `has ${formatSize(bytes)}; up to ${formatSize(limit)} are read`)
}

/** A file that is none of the shipped ones, where others may not be named. */
export function notShipped(file: string, shipped: readonly string[]): FileError {
  const names = shipped.toSorted().join(', ')
  const reason = `is no shipped file; this scenario may name ${names}, and has other content in itself`
  return new FileError('missing', file, reason)
}
