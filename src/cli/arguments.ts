import type { Command } from 'commander'
import { invocation } from '../base/package.js'
import { expectedOneOf } from '../base/text.js'

/** The arguments before `--` without flags, and the command after it; empty if there is none. */
interface CommandLine {
  readonly own: readonly string[]
  readonly command: readonly string[]
}

/** Separates the program's own arguments from the command to run, which follows `--`. */
export function splitCommandLine(command: Command): CommandLine {
  let root: Command & { rawArgs?: readonly string[] } = command
  while (root.parent) root = root.parent
  const { rawArgs = [] } = root
  const dashes = rawArgs.indexOf('--')
  const words = dashes < 0 ? [] : rawArgs.slice(dashes + 1)
  return { own: command.args.slice(0, command.args.length - words.length), command: words }
}

/** Returns how a command is called: with a placeholder for each part. */
export function usageOf(command: Command): string {
  return `${invocation} ${command.name()} ${command.usage()}`
}

/** Refuses an argument of the command that runs when none is named, since it was meant to name another one. */
export function refuseArguments(command: Command, names: readonly string[]): void {
  const [argument] = command.args
  if (argument === undefined) return
  const parent = command.parent?.name()
  command.error(`error: ${parent} has no command "${argument}"${expectedOneOf(argument, names, '.')}`)
}
