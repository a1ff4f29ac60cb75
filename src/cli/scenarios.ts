import type { Command } from 'commander'
import { addScenariosCheck } from './scenarios-check.js'
import { addScenariosList } from './scenarios-list.js'
import { addScenariosNew } from './scenarios-new.js'
import { addScenariosSchema } from './scenarios-schema.js'

/** Adds the commands that help to write scenarios. */
export function addScenarios(program: Command): void {
  const scenarios = program
    .command('scenarios')
    .summary('list the scenarios there are, check and begin your own')
    .description(
      'A scenario says how a world starts, what happens over time and what must be true at the end. ' +
        'Without a command, the scenarios that ship with the simulator are listed.',
    )
    .usage('[list | check <file...> | schema | new <file>] [options]')
    .addHelpText('after', `\n${examples}`)
  addScenariosList(scenarios)
  addScenariosCheck(scenarios)
  addScenariosSchema(scenarios)
  addScenariosNew(scenarios)
}

const examples = `Examples:
  agent-mailbox-sim scenarios                                 every scenario that ships, and what it holds
  agent-mailbox-sim scenarios new my-inbox.yaml               a short file with comments, to begin with
  agent-mailbox-sim scenarios check my-inbox.yaml             what is in it, or everything wrong with it
  agent-mailbox-sim scenarios schema > scenario.schema.json   for editors: completion and explanations
  agent-mailbox-sim serve my-inbox.yaml --watch               serves it anew whenever it is saved`
