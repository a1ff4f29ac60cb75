import type { Command } from 'commander'

/** What stands before and after the first `--` of a command line. */
export interface CommandWords {
  /** Arguments of ours, without the flags. */
  readonly own: readonly string[]
  /** The command somebody wants to be run, with its arguments; empty where there is none. */
  readonly words: readonly string[]
}

/** Tells the arguments of a command of ours from those of the command it is to run, which stand after `--`. */
export function splitCommandWords(command: Command): CommandWords {
  let root: Command & { rawArgs?: readonly string[] } = command
  while (root.parent) root = root.parent
  const { rawArgs = [] } = root
  const dashes = rawArgs.indexOf('--')
  const words = dashes < 0 ? [] : rawArgs.slice(dashes + 1)
  return { own: command.args.slice(0, command.args.length - words.length), words }
}

/** Words as somebody would type them into a shell. */
export function formatCommandWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}
