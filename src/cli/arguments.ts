import type { Command } from 'commander'
import { expectedOneOf } from '../base/text.js'
import { formatCommandLine, type TypedFlag } from '../runs/reports/command-line.js'
import { InputError } from './failure.js'

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

/**
 * Separates the scenario from the client's command after `--`. If there may be none or several (`example` is then a
 * sample command), several words without `--` are taken for a command. @throws InputError
 */
export function parseClientCommand(line: Command, flags: readonly TypedFlag[], example?: readonly string[]) {
  const { own, command } = splitCommandLine(line)
  const [scenario, ...surplus] = own
  const name = line.name() as 'replay' | 'check'
  if (surplus.length > 0 && (!example || command.length === 0)) {
    const meant = example ? { name, flags, command: own } : { name, scenario, flags, command: surplus }
    const hint = command.length > 0 ? '' : ` Did you mean: npx ${formatCommandLine(meant)}`
    const takes = example ? 'needs a command to run' : 'takes one scenario'
    throw new InputError(`${name} ${takes}; the command goes after --.${hint}`)
  }
  if (example && command.length === 0) {
    const whole = formatCommandLine({ name, scenario, flags, command: example })
    throw new InputError(`${name} needs a command to run, after --: npx ${whole}`)
  }
  return { scenario, scenarios: own, command }
}

/** Refuses an argument of the command that runs when none is named, since it was meant to name another one. */
export function refuseArguments(command: Command, names: readonly string[]): void {
  const [argument] = command.args
  if (argument === undefined) return
  const parent = command.parent?.name()
  command.error(`error: ${parent} has no command "${argument}"${expectedOneOf(argument, names, '.')}`)
}
