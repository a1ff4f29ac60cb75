import { shellQuoted } from '../../base/text.js'

/** A flag as it was typed: `--clock` with `frozen`, or `--keep` without a value. */
export interface TypedFlag {
  readonly name: string
  readonly value?: string | undefined
}

/** A command line of this program that runs a client. */
export interface ClientCommandLine {
  readonly name: 'replay' | 'explore' | 'fuzz'
  /** A shipped name or a path; the default scenario if undefined. */
  readonly scenario?: string | undefined
  readonly flags: readonly TypedFlag[]
  /** The client's command, which stands after `--`. */
  readonly command: readonly string[]
}

/** Flags for the destination of results and for progress, which a repetition does not need. */
const outputFlags = ['--json', '--keep', '--out', '--reporter', '--verbose']

/** Returns the flags that repeat a run, without some others. */
export function repeatedFlags(flags: readonly TypedFlag[], without: readonly string[] = []): TypedFlag[] {
  const omitted = [...outputFlags, ...without]
  return flags.filter(({ name }) => !omitted.includes(name))
}

/** Formats a command line as shell input, from the name of the program on; `npx` before it runs it. */
export function formatCommandLine({ name, scenario, flags, command }: ClientCommandLine): string {
  const typed = flags.flatMap(({ name: flag, value }) => {
    if (value === undefined) return [flag]
    return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value]
  })
  return formatCommand([
    ...['agent-mailbox-sim', name, ...(scenario === undefined ? [] : [scenario]), ...typed],
    ...(command.length === 0 ? [] : ['--', ...command]),
  ])
}

/** Formats a command as shell input, in one line. */
export function formatCommand(command: readonly string[]): string {
  return command.map(quote).join(' ')
}

function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  if (!word.includes('\n')) return shellQuoted(word)
  // A comment or a table cannot contain line breaks.
  const escaped = word.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return `"$(printf '%b' ${shellQuoted(escaped)})"`
}

/** Hides secrets in the values of flags, by what hides them in a command. */
export function hideSecretFlags(
  flags: readonly TypedFlag[],
  hide: (words: readonly string[]) => readonly string[],
): TypedFlag[] {
  return flags.map(({ name, value }) => {
    if (value === undefined) return { name }
    return { name, value: hide([name, value])[1] }
  })
}
