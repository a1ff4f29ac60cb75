import { didYouMean } from '../../contract/nearest.js'
import { z } from '../../contract/schema.js'
import { CommandError } from '../errors.js'
import { type Command, type CommandType, commands } from './index.js'

/** A command as its schema reads it. @throws CommandError `unknown-command`, `invalid` */
export function checkCommand(command: unknown): Command {
  const type = typeOf(command)
  const parsed = commands[type].schema().safeParse(command)
  if (parsed.success) return parsed.data as Command
  throw new CommandError('invalid', `${type}: ${z.prettifyError(parsed.error)}`)
}

/** The type of what came as a command, which may be anything at all. @throws CommandError `unknown-command` */
function typeOf(command: unknown): CommandType {
  const type = (command as { type?: unknown } | null | undefined)?.type
  const names = Object.keys(commands) as CommandType[]
  const known = names.find((name) => name === type)
  if (known !== undefined) return known
  const [given, hint] =
    typeof type === 'string' ? [` "${type}"`, didYouMean(type, names)] : [' without a type', '']
  throw new CommandError(
    'unknown-command',
    `There is no command${given}${hint || `; choose one of ${names.join(', ')}.`}`,
  )
}
