import { StateError } from '../../service/model/errors.js'
import { FolderStore } from './folder-store.js'
import { LoggedWorlds } from './logged-worlds.js'
import { RedisStore } from './redis-store.js'

/** Where the logs of worlds are stored. */
export interface StateOptions {
  /** A folder on this machine, or the URL of Valkey or Redis: `redis://` or `rediss://`. */
  readonly place: string
  /** A user and a password that replace those of the URL. */
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** Whether what is stored is deleted when the worlds are attached: once everything else that a start needs has succeeded. */
  readonly reset?: boolean | undefined
  /** Called with what an operator of the process needs to know. */
  readonly warn: (message: string) => void
}

/** Returns the persistence of a server's worlds; reads nothing yet. @throws StateError `unknown` for a place that cannot be one */
export function openState({ place, username, password, reset = false, warn }: StateOptions): LoggedWorlds {
  if (!/^rediss?:|:\/\//.test(place)) return new LoggedWorlds(new FolderStore(place), reset, warn)
  const url = parseUrl(place)
  if (username !== undefined) url.username = username
  if (password !== undefined) url.password = password
  return new LoggedWorlds(new RedisStore(url, warn), reset, warn)
}

/** Parses a URL of Valkey or Redis, with a number as its path, if any. */
function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^rediss?:$/.test(url.protocol) && /^\/?\d*$/.test(url.pathname)) return url
  const expected = 'a folder, or a URL such as redis://127.0.0.1:6379/0, or rediss:// for TLS'
  const shown = text.replace(/\/\/.*@/, '//***@')
  const remedy = shown === text ? '' : ' In its password, write @ as %40, / as %2F and % as %25.'
  throw new StateError('unknown', `--state ${shown} is not ${expected}.${remedy}`)
}
