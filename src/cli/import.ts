import type { Command } from 'commander'
import { parseDuration } from '../service/time/time.js'
import { always, flagCommand, parsedFlag } from './flag-command.js'
import { collectName, numberWithin } from './flag-values.js'
import { addAssumptionsFlags, apiKeyOption, baseUrlOption, examplesOf, rateOption } from './flags.js'

/** Adds the command that imports the mailboxes of a live service. */
export function addImport(scenarios: Command) {
  const command = scenarios
    .command('import')
    .summary('import a mailbox of a live service as a scenario')
    .description(
      'Reads all pages of a service and writes them as a scenario: agents, threads, messages, attachments and ' +
        'webhooks, with their ids and times. People, addresses, numbers, links and words are replaced by invented ' +
        'ones, unless you give --keep-private. An interrupted import restarts when you run the same command again.',
    )
  const chosen = flagCommand(command)
    .addOption(baseUrlOption())
    .addOption(apiKeyOption())
    .requiredOption('--out <folder>', 'the folder to write; the scenario is scenario.yaml in it')
    .addOption(
      always(parsedFlag('--agent <handle>', 'an agent whose mail is imported (repeatable)', collectName)),
    )
    .option(
      '--since <duration>',
      'only threads with mail in this time before the latest, e.g. 90d',
      parseSpan,
    )
  return addAssumptionsFlags(chosen)
    .option('--keep-private', 'keep people, addresses, texts and files unchanged')
    .addOption(rateOption())
    .addHelpText(
      'after',
      examplesOf(
        'scenarios import --base-url https://mail.example --api-key-env MAIL_KEY --agent support --out desk',
        'scenarios import … --since 90d --agent support --assume live.yaml --out desk',
      ),
    )
}

const parseSpan = numberWithin(1, Infinity, 'It must be a duration such as 90d, 12h or 30m.', parseDuration)
