import { formatCommand } from '../../base/text.js'

/** A flag as it was typed: `--clock` with `frozen`, or `--keep` without a value. */
export interface TypedFlag {
  readonly name: string
  readonly value?: string | undefined
}

/** A command line of this program that runs a client. */
interface ClientCommandLine {
  readonly name: 'replay' | 'check'
  /** A shipped name or a path; the default scenario if undefined. */
  readonly scenario?: string | undefined
  readonly flags: readonly TypedFlag[]
  /** The client's command, which stands after `--`. */
  readonly command: readonly string[]
}

/** Flags for the destination of results and for progress, which a repetition does not need. */
const outputFlags = ['--keep', '--out', '--reporter', '--verbose']

/** How a command line differs from the one that it repeats. */
interface LineChanges extends Partial<Pick<ClientCommandLine, 'name' | 'scenario'>> {
  /** Flags that are left out. */
  readonly without?: readonly string[]
  /** Flags that are added. */
  readonly also?: readonly TypedFlag[]
}

/** Formats a command line that repeats a run of another one, with changes. */
export function repeatCommandLine(
  line: ClientCommandLine,
  { without = [], also = [], ...changes }: LineChanges = {},
): string {
  const omitted = [...outputFlags, ...without]
  const flags = [...line.flags.filter(({ name }) => !omitted.includes(name)), ...also]
  return formatCommandLine({ ...line, ...changes, flags })
}

/** Hides secrets in a command line, by what hides them in words. */
export function hideSecrets(
  line: ClientCommandLine,
  hide: (words: readonly string[]) => readonly string[],
): ClientCommandLine {
  const flags = line.flags.map(({ name, value }) => {
    return value === undefined ? { name } : { name, value: hide([name, value])[1] }
  })
  return { ...line, flags, command: hide(line.command) }
}

/** Formats a command line as shell input, from the name of the program on; `npx` before it runs it. */
function formatCommandLine({ name, scenario, flags, command }: ClientCommandLine): string {
  const typed = flags.flatMap(({ name: flag, value }) => {
    if (value === undefined) return [flag]
    return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value]
  })
  return formatCommand([
    ...['agent-mailbox-sim', name, ...(scenario === undefined ? [] : [scenario]), ...typed],
    ...(command.length === 0 ? [] : ['--', ...command]),
  ])
}
