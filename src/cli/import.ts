import { join } from 'node:path'
import type { Command } from 'commander'
import { invocation } from '../contract/package.js'
import { counted } from '../contract/text.js'
import { parseDuration } from '../world/time.js'
import { interruptible } from './failure.js'
import {
  addReadingsFlags,
  apiKeyFrom,
  apiKeyOption,
  baseUrlOption,
  collectName,
  examplesOf,
  layersOfFlags,
  numberWithin,
  type ReadingsFlags,
  rateOption,
  readingsOfLayers,
  type ServiceFlags,
} from './flags.js'
import { Progress } from './terminal.js'

interface ImportFlags extends ServiceFlags, ReadingsFlags {
  readonly agent?: readonly string[]
  readonly since?: number
  readonly keepPrivate?: true
  readonly out: string
}

/** Adds the command that imports the mailboxes of a live service. */
export function addImport(scenarios: Command): void {
  const command = scenarios
    .command('import')
    .summary('import a mailbox of a live service as a scenario')
    .description(
      'Reads all pages of a service and writes them as a scenario: agents, threads, messages, attachments and ' +
        'webhooks, with their ids and times. People, addresses, numbers, links and words are replaced by invented ' +
        'ones, unless you give --keep-private. An interrupted import starts over when you run the same command again.',
    )
    .addOption(baseUrlOption())
    .addOption(apiKeyOption())
    .requiredOption('--out <folder>', 'the folder to write; the scenario is scenario.yaml in it')
    .option('--agent <handle>', 'only mail of this agent (repeatable)', collectName)
    .option(
      '--since <duration>',
      'only threads with mail in this time before the latest, e.g. 90d',
      parseSpan,
    )
  addReadingsFlags(command)
    .option('--keep-private', 'keep people, addresses and words as they are')
    .addOption(rateOption())
    .addHelpText(
      'after',
      examplesOf(
        'scenarios import --base-url https://mail.example --api-key-env MAIL_KEY --out desk',
        'scenarios import … --since 90d --agent support --readings live.yaml --out desk',
      ),
    )
    .action(importScenario)
}

async function importScenario(flags: ImportFlags): Promise<void> {
  const { baseUrl, rate, out, since, keepPrivate = false, agent: agents = [] } = flags
  const apiKey = apiKeyFrom(flags.apiKeyEnv)
  const { readings, choices } = await readingsOfLayers(layersOfFlags(flags))
  const { explained } = await import('./report-output.js')
  const { prepareFile } = await import('../reports/index.js')
  await explained(out, () => prepareFile(join(out, 'scenario.yaml')))
  const { importMailbox } = await import('../calibrate/import/import-mailbox.js')
  const progress = new Progress()
  await interruptible(async ({ signal }) => {
    const { scenario, counts, notes } = await importMailbox({
      ...{ baseUrl, apiKey, rate, out, since, keepPrivate, agents, readings, choices, signal },
      onWait: (sentence) => progress.print(sentence),
      onProgress: (sentence) => progress.show(sentence),
    }).finally(() => progress.show(''))
    for (const note of notes) progress.print(`note: ${note}`)
    const parts = Object.entries(counts).map(([name, count]) => counted(count, name.replace(/s$/, '')))
    process.stdout.write(`${scenario}: ${parts.join(', ')}.\n${invocation} serve ${scenario} serves it.\n`)
  })
}

const parseSpan = numberWithin(1, Infinity, 'It must be a duration such as 90d, 12h or 30m.', parseDuration)
