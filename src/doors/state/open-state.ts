import { StateError } from '../../service/model/errors.js'
import { DiskStore, type SyncMode } from './disk-store.js'
import type { LogStore } from './log-store.js'
import { LoggedWorlds } from './logged-worlds.js'
import { type RedisCredentials, RedisStore } from './redis-store.js'

/** Where the logs of worlds are stored, and how. */
export interface StateOptions {
  /** A directory on this machine. */
  readonly directory?: string | undefined
  /** `redis://` or `rediss://`. */
  readonly url?: string | undefined
  readonly credentials?: RedisCredentials | undefined
  /** `always` by default. */
  readonly sync?: SyncMode | undefined
  /** Called with what an operator of the process needs to know. */
  readonly warn: (message: string) => void
}

/** Returns the store that the options name; reads nothing yet. @throws StateError `unknown` for a malformed URL */
export function openStore({
  directory,
  url = '',
  credentials = {},
  sync = 'always',
  warn,
}: StateOptions): LogStore {
  if (directory !== undefined) return new DiskStore(directory, sync, warn)
  if (!isStoreUrl(url)) {
    const shown = url.replace(/\/\/.*@/, '//***@')
    const remedy = shown === url ? '' : ' In its password, write @ as %40, / as %2F and % as %25.'
    throw new StateError(
      'unknown',
      `--state ${shown}: a state is at a URL such as redis://127.0.0.1:6379/0, or rediss:// for TLS.${remedy}`,
    )
  }
  return new RedisStore(url, credentials, warn)
}

/** Returns whether a URL is one of Valkey or Redis, with a number as its path, if any. */
function isStoreUrl(text: string): boolean {
  try {
    const { protocol, pathname, username, password } = new URL(text)
    // The client decodes them when it connects.
    decodeURIComponent(username + password)
    return /^rediss?:$/.test(protocol) && /^\/?\d*$/.test(pathname)
  } catch {
    return false
  }
}

/**
 * Returns the persistence of a server's worlds; reads nothing yet. With `reset`, what is stored is deleted when the
 * worlds are attached: once everything else that a start needs has succeeded. @throws StateError `unknown`
 */
export function openState({
  reset = false,
  ...options
}: StateOptions & { readonly reset?: boolean | undefined }): LoggedWorlds {
  return new LoggedWorlds(openStore(options), reset, options.warn)
}
