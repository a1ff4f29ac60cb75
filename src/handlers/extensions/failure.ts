import type { ExtensionOperation } from '../../contract/extensions.js'
import { packageRoot } from '../../contract/package.js'

/** An operation of an extension that failed; the answer is a 500. */
export class ExtensionFailure extends Error {
  override readonly name = 'ExtensionFailure'

  constructor({ id }: ExtensionOperation, cause: unknown) {
    const place = placeOf(cause)
    const what = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    super(`The extension's operation ${id} failed${place === undefined ? '' : ` at ${place}`}: ${what}`, {
      cause,
    })
  }
}

/** Where in a user's file an error was thrown, `file:line:column`; undefined where its stack trace names none. */
function placeOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const own = [new URL('src/', packageRoot).href, new URL('dist/', packageRoot).href].map(pathOf)
  for (const frame of stack.split('\n')) {
    const place = /^ +at (?:.*\()?(.+:\d+:\d+)\)?$/.exec(frame)?.[1]
    if (place === undefined || /^node:|node_modules\/(?!agent-mailbox-sim\/extensions)/.test(place)) continue
    const path = pathOf(place)
    if (!own.some((folder) => path.startsWith(folder))) return shown(path)
  }
  return undefined
}

/** Returns a path, from the folder the program runs in where it is below it. */
function shown(path: string): string {
  const folder = globalThis.process?.cwd?.()
  return folder !== undefined && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

function pathOf(url: string): string {
  return url.replace(/^file:\/\//, '')
}
