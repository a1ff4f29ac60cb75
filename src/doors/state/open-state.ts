import { StateError } from '../../service/model/errors.js'
import { FolderStore } from './folder-store.js'
import type { LogStore } from './log-store.js'
import { LoggedWorlds } from './logged-worlds.js'
import { type RedisCredentials, RedisStore } from './redis-store.js'

/** Where the logs of worlds are stored. */
export interface StateOptions {
  /** A folder on this machine, or the URL of Valkey or Redis: `redis://` or `rediss://`. */
  readonly place: string
  readonly credentials?: RedisCredentials | undefined
  /** Whether what is stored is deleted when the worlds are attached: once everything else that a start needs has succeeded. */
  readonly reset?: boolean | undefined
  /** Called with what an operator of the process needs to know. */
  readonly warn: (message: string) => void
}

/** Returns the persistence of a server's worlds; reads nothing yet. @throws StateError `unknown` for a place that cannot be one */
export function openState({ place, credentials = {}, reset = false, warn }: StateOptions): LoggedWorlds {
  const store: LogStore = /^rediss?:|:\/\//.test(place)
    ? new RedisStore(checkedUrl(place), credentials, warn)
    : new FolderStore(place, warn)
  return new LoggedWorlds(store, reset, warn)
}

/** Returns a URL of Valkey or Redis, with a number as its path, if any. */
function checkedUrl(text: string): string {
  try {
    const { protocol, pathname, username, password } = new URL(text)
    // The client decodes them when it connects.
    decodeURIComponent(username + password)
    if (/^rediss?:$/.test(protocol) && /^\/?\d*$/.test(pathname)) return text
  } catch {
    // Refused below.
  }
  const shown = text.replace(/\/\/.*@/, '//***@')
  const remedy = shown === text ? '' : ' In its password, write @ as %40, / as %2F and % as %25.'
  throw new StateError(
    'unknown',
    `--state ${shown}: a state is in a folder, or at a URL such as redis://127.0.0.1:6379/0, or rediss:// for TLS.${remedy}`,
  )
}
