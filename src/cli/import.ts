import { join } from 'node:path'
import type { Command } from 'commander'
import { invocation } from '../base/package.js'
import { counted, formatCommand } from '../base/text.js'
import { importMailbox } from '../live/import-mailbox.js'
import { prepareFile } from '../runs/reports/write-file.js'
import { parseDuration } from '../service/time/time.js'
import { interruptible } from './failure.js'
import { collectText, numberWithin } from './flag-values.js'
import { type AssumptionsFlags, addAssumptionsFlags, examplesOf, layersOfFlags } from './flags.js'
import { addServiceFlags, apiKeyFrom, assumptionsOfLayers, type ServiceFlags } from './live-service.js'
import { explained } from './report-output.js'
import { Progress } from './terminal.js'

/** Adds the command that imports the mailboxes of a live service. */
export function addImport(command: Command): void {
  command
    .summary('import a mailbox of a live service as a scenario')
    .description(
      'Reads the threads and messages of each --agent, and their webhooks, and writes them as a scenario with new ids. ' +
        'People, addresses, texts and files are replaced by invented ones, unless you give --keep-private.',
    )
  addServiceFlags(command)
    .requiredOption('--out <folder>', 'the folder to write; the scenario is scenario.yaml in it')
    .requiredOption('--agent <handle>', 'an agent whose mail is imported (repeatable)', collectText)
    .option(
      '--since <duration>',
      'only threads with mail in this time before the latest, e.g. 90d',
      parseSpan,
    )
  addAssumptionsFlags(command)
    .option('--keep-private', 'keep people, addresses, texts and files unchanged')
    .addHelpText(
      'after',
      examplesOf(
        'scenarios import --base-url https://mail.example --api-key-env MAIL_KEY --agent support --out desk',
        'scenarios import … --since 90d --agent support --assume live.yaml --out desk',
      ),
    )
    .action(runImport)
}

const parseSpan = numberWithin(1, Infinity, 'It must be a duration such as 90d, 12h or 30m.', parseDuration)

interface ImportFlags extends ServiceFlags, AssumptionsFlags {
  readonly out: string
  readonly agent: readonly string[]
  readonly since?: number
  readonly keepPrivate?: true
}

/** Imports the mailboxes of a live service as a scenario. */
async function runImport(flags: ImportFlags): Promise<void> {
  const { baseUrl, rate, out, since, keepPrivate = false, agent: agents } = flags
  const apiKey = apiKeyFrom(flags.apiKeyEnv)
  const { assumptions, choices } = await assumptionsOfLayers(layersOfFlags(flags))
  await explained(out, () => prepareFile(join(out, 'scenario.yaml')))
  const progress = new Progress()
  await interruptible(async ({ signal }) => {
    const { scenario, counts, notes } = await importMailbox({
      ...{ baseUrl, apiKey, rate, out, since, keepPrivate, agents, assumptions, choices, signal },
      onProgress: (sentence) => progress.show(sentence),
    }).finally(() => progress.show(''))
    for (const note of notes) progress.print(`note: ${note}`)
    const parts = Object.entries(counts).map(([name, count]) => counted(count, name.replace(/s$/, '')))
    process.stdout.write(
      `${scenario}: ${parts.join(', ')}.\n${invocation} serve ${formatCommand([scenario])} serves it.\n`,
    )
  })
}
