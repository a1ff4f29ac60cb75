import type { Command } from 'commander'
import { didYouMean } from '../contract/text.js'
import { InputError } from './failure.js'
import { examplesOf } from './flags.js'
import { addRemoteFlags, ask, type RemoteFlags } from './remote.js'

/** Adds the command that advances the story of a running server to an entry. */
export function addTrigger(program: Command): void {
  const command = program
    .command('trigger')
    .summary('advance the story of a running server to an entry')
    .description(
      'Advances the clock of a running server to an entry of its timeline; everything before it happens as well. ' +
        'Without an entry, lists those still to come.',
    )
    .argument('[entry...]', 'key of the entry, or its name in the list')
  addRemoteFlags(command).addHelpText('after', examplesOf('trigger', 'trigger follow-up')).action(trigger)
}

async function trigger(words: readonly string[], flags: RemoteFlags): Promise<void> {
  interface Entry {
    readonly name: string
    readonly at: string
    readonly problem?: string | null
  }
  const { upcoming, played } = await ask<{ upcoming: Entry[]; played: Entry[] }>(flags, '/timeline')
  const entry = words.join(' ')
  if (entry === '') {
    const lines = upcoming.map(({ name, at }) => `${at}  ${name}\n`)
    process.stdout.write(lines.join('') || 'The story is over: no entries are left.\n')
    return
  }
  const wanted = upcoming.find(({ name }) => name === entry)
  if (!wanted) {
    const before = played.find(({ name }) => name === entry)
    if (before)
      throw new InputError(
        `"${entry}" already happened at ${before.at}; POST /_sim/reset starts the story again.`,
      )
    const names = upcoming.map(({ name }) => name)
    const known =
      names.length === 0 ? ': no entries are left.' : `; still to come: ${names.slice(0, 10).join(', ')}.`
    throw new InputError(`The story has no entry "${entry}"${didYouMean(entry, names) || known}`)
  }
  await ask(flags, '/clock', { body: { to: wanted.at } })
  const after = await ask<{ played: Entry[] }>(flags, '/timeline')
  for (const { name, at, problem } of after.played.slice(played.length)) {
    process.stdout.write(`${at}  ${name}${problem ? `: ${problem}` : ''}\n`)
  }
}
