import type { Command } from 'commander'
import { invocation } from '../contract/package.js'
import { parseDuration } from '../world/time.js'
import { keyOf, parseBaseUrl, parseRate, readingsIn } from './calibrate.js'
import { interruptible } from './failure.js'
import { collectName, examplesOf, numberWithin } from './flags.js'
import { Progress } from './terminal.js'

interface ImportFlags {
  readonly baseUrl: string
  readonly apiKeyEnv: string
  readonly agent?: readonly string[]
  readonly since?: number
  readonly readings?: string
  readonly keepPrivate?: true
  readonly rate: number
  readonly out: string
}

/** Adds the command that imports the mailboxes of a live service. */
export function addImport(scenarios: Command): void {
  scenarios
    .command('import')
    .summary('import a mailbox of a live service as a scenario')
    .description(
      'Pages through what a service shows and writes it as a scenario: agents, threads, messages, attachments and ' +
        'webhooks, with their ids and times. People, addresses, numbers, links and words are replaced by invented ' +
        'ones, unless you give --keep-private. The same command again continues an interrupted import.',
    )
    .requiredOption('--base-url <url>', 'where the service is, without /api/v1', parseBaseUrl)
    .requiredOption('--api-key-env <name>', 'the environment variable that holds the API key')
    .requiredOption('--out <folder>', 'the folder to write; the scenario is scenario.yaml in it')
    .option('--agent <handle>', 'only mail of this agent (repeatable)', collectName)
    .option(
      '--since <duration>',
      'only threads with mail in this time before the latest, e.g. 90d',
      parseSpan,
    )
    .option(
      '--readings <file>',
      'how the service settles what the interface leaves open, e.g. live.yaml of calibrate',
    )
    .option('--keep-private', 'keep people, addresses and words as they are')
    .option('--rate <number>', 'requests per second', parseRate, 5)
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
  const apiKey = keyOf(flags.apiKeyEnv)
  const choices = flags.readings === undefined ? {} : await readingsIn(flags.readings)
  const { importMailbox } = await import('../calibrate/import/import-mailbox.js')
  const { chooseReadings } = await import('../world/index.js')
  const { readings } = chooseReadings([{ from: '--readings', input: choices }])
  const progress = new Progress()
  await interruptible(async ({ signal }) => {
    const { scenario, counts, notes } = await importMailbox({
      ...{ baseUrl, apiKey, rate, out, since, keepPrivate, agents, readings, choices, signal },
      onWait: (sentence) => progress.print(sentence),
      onProgress: (sentence) => progress.show(sentence),
    }).finally(() => progress.show(''))
    for (const note of notes) progress.print(`note: ${note}`)
    const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
    process.stdout.write(`${scenario}: ${parts.join(', ')}.\n${invocation} serve ${scenario} serves it.\n`)
  })
}

const parseSpan = numberWithin(1, Infinity, 'It must be a duration such as 90d, 12h or 30m.', parseDuration)
