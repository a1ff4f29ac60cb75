import type { Command } from 'commander'
import { addReadingsList } from './readings-list.js'
import { addReadingsProfile } from './readings-profile.js'
import { addReadingsShow } from './readings-show.js'

/** Adds the commands that show gaps and their readings. */
export function addReadings(program: Command): void {
  const readings = program
    .command('readings')
    .summary('show what the interface leaves open, and how it is read')
    .description(
      'The interface leaves some points open. Each is a gap; each possible answer to it is a reading. ' +
        'Without a command, the readings in force are listed.',
    )
    .usage('[list | show <gap...> | profile <name|file>] [options]')
    .addHelpText('after', `\n${examples}`)
  addReadingsList(readings)
  addReadingsShow(readings)
  addReadingsProfile(readings)
}

const examples = `Examples:
  agent-mailbox-sim readings                               every gap, its reading, and who chose it
  agent-mailbox-sim readings --readings worst-case         the same, as --readings worst-case would have it
  agent-mailbox-sim readings show threads.total            one gap: its readings, and how to be right under each
  agent-mailbox-sim readings profile seed:7 > seven.yaml   readings to keep, and to change by hand
  agent-mailbox-sim serve --readings ./seven.yaml          and to serve a scenario with`
