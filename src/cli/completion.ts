import { Argument, type Command } from 'commander'

const shells = ['bash', 'zsh', 'fish'] as const

/** Adds the command that prints a completion script for a shell. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print a script that completes commands and flags in your shell')
    .description('Prints a script that completes commands, flags and the names of scenarios in a shell.')
    .addArgument(new Argument('<shell>', 'the shell it is for').choices(shells))
    .addHelpText(
      'after',
      '\nExamples:\n  eval "$(npx agent-mailbox-sim completion bash)"    in ~/.bashrc; zsh works the same way\n' +
        '  npx agent-mailbox-sim completion fish | source',
    )
    .action(async (shell: (typeof shells)[number]) => {
      const { shippedScenarios } = await import('../scenario/source/find-scenario.js')
      const known = wordsOf(program, await shippedScenarios())
      process.stdout.write(shell === 'fish' ? forFish(known) : forBash(known, shell))
    })
}

/** The words that can follow the program's name (an empty name) or a command. */
interface CommandWords {
  readonly name: string
  readonly commands: readonly string[]
  readonly flags: readonly string[]
  readonly scenarios: readonly string[]
}

function wordsOf(program: Command, shipped: readonly string[]): CommandWords[] {
  const serve = program.commands.find((command) => command.name() === 'serve')
  return [program, ...program.commands].map((command) => ({
    name: command === program ? '' : command.name(),
    commands: command.commands.map((sub) => sub.name()),
    flags: ((command === program && serve) || command).options
      .flatMap(({ long }) => long ?? [])
      .concat('--help'),
    scenarios: command === program || command.usage().includes('scenario') ? shipped : [],
  }))
}

function forBash([top, ...commands]: readonly CommandWords[], shell: 'bash' | 'zsh'): string {
  const listed = (words: CommandWords | undefined) =>
    words ? [...words.commands, ...words.scenarios, ...words.flags].join(' ') : ''
  return [
    ...(shell === 'zsh' ? ['autoload -U +X compinit bashcompinit && compinit && bashcompinit'] : []),
    '_agent_mailbox_sim() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
    '  local words current="${COMP_WORDS[COMP_CWORD]}"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
    '  case "${COMP_WORDS[1]}" in',
    ...commands.map((command) => `    ${command.name}) words='${listed(command)}' ;;`),
    `    *) words='${listed(top)}' ;;`,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))',
    '}',
    'complete -o filenames -F _agent_mailbox_sim agent-mailbox-sim',
    '',
  ].join('\n')
}

function forFish(all: readonly CommandWords[]): string {
  const lines = all.flatMap(({ name, commands, flags, scenarios }) => {
    const condition = name === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${name}`
    const complete = `complete -c agent-mailbox-sim -n '${condition}'`
    return [
      `${complete} -a '${[...commands, ...scenarios].join(' ')}'`,
      ...flags.map((flag) => `${complete} -l ${flag.slice(2)}`),
    ]
  })
  return `${lines.join('\n')}\n`
}
