import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClassicLevel } from 'classic-level'
import { StateError } from '../../service/model/errors.js'

/** Explanations of errors of the file system whose own messages do not say what to change, by code. */
const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'a file has this name; name a directory',
  ENOTDIR: 'a part of this path is a file, not a directory; name another path',
  ENOENT:
    'the directory that it is in cannot be written, or a link in the path leads nowhere; name another path',
  EACCES: 'the directory that it is in cannot be written by this user; name another path',
  EROFS: 'the file system is read-only; name a path on another one',
  EPERM: 'the directory that it is in cannot be written by this user; name another path',
}

/** The remedy for damage outside of a world's log. */
export const restore = 'Restore the directory from a copy, or start over with --state-reset.'

/** Loads LevelDB, an optional package. @throws StateError `missing` */
export async function loadLevel(): Promise<typeof ClassicLevel> {
  try {
    return (await import('classic-level')).ClassicLevel
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StateError('missing', '--state-dir needs the package classic-level: npm install classic-level')
  }
}

/** Explains why the directory of a state cannot be created. */
export function explainCreating(error: unknown, name: string): StateError {
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = name === '' ? 'the path is empty; name a directory' : (reasons[code] ?? message)
  return new StateError('unavailable', `${name || '--state-dir ""'} cannot be created: ${reason}.`)
}

/** Explains why nothing can be written in the directory of a state. */
export function explainUsing({ message }: Pick<Error, 'message'>, name: string): StateError {
  const remedy = 'let this user write to it, or name another directory'
  return new StateError('unavailable', `${name} cannot be used: ${message}; ${remedy}.`)
}

/** Explains why a database cannot be opened: permissions, another process, a full disk, or damage. */
export async function explainOpening(error: unknown, name: string, directory: string): Promise<StateError> {
  if (error instanceof StateError) return error
  const { cause = error } = error as { cause?: Error & { code?: string } }
  const { code = '', message } = cause as Error & { code?: string }
  if (/\b(EACCES|EPERM|EROFS)\b|Permission denied|Read-only file system/.test(message)) {
    return explainUsing({ message }, name)
  }
  if (code === 'LEVEL_LOCKED') {
    const owner = await readFile(join(directory, 'owner.json'), 'utf8').catch(() => '{}')
    const pid = /"pid":(\d+)/.exec(owner)?.[1]
    const who = pid === undefined ? 'another process' : `process ${pid}`
    return new StateError('in-use', `${name} is in use by ${who}; only one process can use it at a time.`)
  }
  // A missing file that the database refers to is damage as well.
  if (
    /^(IO error|ENOSPC|EDQUOT|EFBIG|EIO|EMFILE|ENFILE)\b/.test(message) &&
    !/\/worlds\/.*No such file/.test(message)
  ) {
    return new StateError('unavailable', `${name} cannot be used: ${message}. Nothing was changed.`, 5)
  }
  return new StateError('damaged', `${name} cannot be read: ${message}. ${restore}`)
}
