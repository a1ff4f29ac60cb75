import { formatCommand } from '../../base/text.js'

/** A flag as it was typed: `--clock` with `frozen`, or `--keep` without a value. */
export interface TypedFlag {
  readonly name: string
  readonly value?: string | undefined
}

/** A command line of `replay`, which repeats a run. */
interface ReplayLine {
  /** A shipped name or a path. */
  readonly scenario: string
  readonly flags: readonly TypedFlag[]
  /** The client's command, which stands after `--`. */
  readonly command: readonly string[]
}

/** Flags for the destination of results and for progress, which a repetition does not need. */
const outputFlags = ['--keep', '--out', '--reporter', '--verbose']

/** Formats a command line as shell input, without flags for results and some others, and with further ones. */
export function formatReplayLine(
  { scenario, flags, command }: ReplayLine,
  without: readonly string[],
  also: readonly TypedFlag[],
): string {
  const omitted = [...outputFlags, ...without]
  const typed = [...flags.filter(({ name }) => !omitted.includes(name)), ...also].flatMap(
    ({ name, value }) => {
      if (value === undefined) return [name]
      return value.startsWith('-') ? [`${name}=${value}`] : [name, value]
    },
  )
  const words = ['npx', 'agent-mailbox-sim', 'replay', scenario, ...typed]
  return formatCommand([...words, ...(command.length === 0 ? [] : ['--', ...command])])
}
