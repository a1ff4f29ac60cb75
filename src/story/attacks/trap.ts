import { defineExtension } from '../../service/extensions/define-extension.js'
import type { Command } from '../../service/world/commands/commands.js'
import type { AddressedWorld } from '../../service/world/story-entry.js'
import { queryOfWorld } from '../../service/world/worlds.js'

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

/** The origin that stands for that of the server in hostile mail: it is known only when a story is played. */
const trapOrigin = 'http://trap.invalid'

/** What stands for the id of the world that gets the mail. */
const ownWorld = queryOfWorld('own')

/** Returns the address that an attack asks an agent to open, before a world has the mail. */
export function trapOf(attack: string): string {
  return `${trapOrigin}/trap/${encodeURIComponent(attack)}${ownWorld}`
}

/** Returns commands in which the addresses of traps, in files as well, are those of a world. */
export function withTrapsOf(commands: readonly Command[], { id, base }: AddressedWorld): readonly Command[] {
  const placed = (text: string): string => {
    return text.replaceAll(trapOrigin, base).replaceAll(ownWorld, queryOfWorld(id))
  }
  return JSON.parse(JSON.stringify(commands), (key, value: unknown) => {
    if (typeof value !== 'string') return value
    // Byte by byte, since a file need not be text.
    if (key !== 'content') return placed(value)
    return Buffer.from(placed(Buffer.from(value, 'base64').toString('latin1')), 'latin1').toString('base64')
  })
}
