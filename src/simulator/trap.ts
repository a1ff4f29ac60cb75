import { defineExtension } from '../handlers/extensions/define-extension.js'
import { trapOrigin } from '../scenario/attacks/library.js'
import type { InitialState } from '../world/index.js'

/**
 * Adds the address that hostile messages ask agents to open: it responds to anyone, and the journal shows who
 * came.
 */
export const trapExtension = defineExtension(({ operation }) => [
  operation({
    id: 'trap.open',
    method: 'GET',
    path: '/trap/{name}',
    authentication: 'none',
    perform: () => ({ ok: true }),
  }),
])

/** Returns whether a message of a story names the address of the trap. */
export function hasTrap({ timeline }: InitialState): boolean {
  let isFound = false
  JSON.stringify(timeline, (key, value: unknown) => {
    isFound ||= typeof value === 'string' && readable(key, value).includes(trapOrigin)
    return value
  })
  return isFound
}

/** Returns a story in which the trap has the origin of the server that plays it. */
export function withTrapAt(story: InitialState, origin: string): InitialState {
  if (!hasTrap(story)) return story
  const timeline = JSON.parse(JSON.stringify(story.timeline), (key, value: unknown) => {
    if (typeof value !== 'string') return value
    const text = readable(key, value).replaceAll(trapOrigin, origin)
    return key === 'content' ? Buffer.from(text, 'latin1').toString('base64') : text
  })
  return { ...story, timeline }
}

/** Returns a text of a command; that of a file, byte by byte. */
function readable(key: string, value: string): string {
  return key === 'content' ? Buffer.from(value, 'base64').toString('latin1') : value
}
