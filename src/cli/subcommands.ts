import type { Command } from 'commander'
import { nearestName } from '../contract/nearest.js'

/**
 * Refuses what the command gets that runs where none is named: an argument that was meant to name another one.
 * `guess` tells what else may have been meant.
 */
export function refuseArguments(
  command: Command,
  names: readonly string[],
  guess: (argument: string) => string | undefined,
): void {
  const [argument] = command.args
  if (argument === undefined) return
  const parent = command.parent?.name()
  const meant = nearestName(argument, names) ?? guess(argument)
  const hint = meant === undefined ? '' : `\nDid you mean agent-mailbox-sim ${parent} ${meant}?`
  command.error(`error: ${parent} takes ${names.join(', ')}, not '${argument}'${hint}`)
}
