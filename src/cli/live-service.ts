import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { invocation } from '../base/package.js'
import { formatCommand } from '../base/text.js'
import type { GapId } from '../contract/gaps.js'
import {
  calibrate,
  formatCalibration,
  formatLiveAssumptions,
  isChange,
  planOf,
} from '../live/calibrate/calibrate.js'
import { importMailbox } from '../live/import-mailbox.js'
import { type Answer, describeExchange } from '../live/service-client.js'
import { prepareFile, writeFileWhole } from '../runs/reports/write-file.js'
import { type AssumptionsLayer, chooseAssumptions } from '../service/assumptions/assumptions.js'
import { formatInstant, parseDuration } from '../service/time/time.js'
import { wallTime } from '../service/time/wall-time.js'
import { addAssumptions } from '../story/read/assumptions.js'
import { ExitError, exitStatus, InputError, interruptible } from './failure.js'
import { addAssumptionsFlags, collectText, examplesOf, numberWithin } from './flags.js'
import { checkFile, explained } from './report-output.js'
import { formatSummary, Progress, sanitize } from './terminal.js'

/** Adds the command that learns how a live service settles the gaps. */
export function addCalibrate(command: Command): void {
  command.description(calibrateDescription).usage('--base-url <url> --api-key-env <name> [options]')
  addServiceFlags(command.optionsGroup('The service:'))
    .option('--agent <handle>', 'the agent to send requests about (default: one that the mailbox shows)')
    .optionsGroup('What it may do:')
    .option('--allow-writes', 'also PATCH the identity of --agent, and restore it each time')
    .option(
      '--max-requests <number>',
      'maximum number of requests',
      numberWithin(1, 999_999, 'It must be a number of requests, 1 or more.'),
      300,
    )
    .option('--dry-run', 'show what would be sent, and send nothing')
    .optionsGroup('Output:')
    .option('--out <file>', 'write what was learned to this file of assumptions')
    .option(
      '--check <file>',
      'compare with a file of assumptions; exit status 1 if the service contradicts it',
    )
    .addHelpText('after', `\n${calibrateExamples}`)
    .action(runCalibrate)
}

const calibrateDescription = [
  'Sends requests to a service, for each gap those that show how it is settled. What the answers show is written to ' +
    '--out, a file for --assume; what they cannot show is unclear, never a guess.',
  'By default, it only reads and changes nothing.',
].join('\n\n')

const calibrateExamples = `Examples:
  MAIL_KEY=… ${invocation} calibrate --base-url https://mail.example --api-key-env MAIL_KEY --out live.yaml
  ${invocation} --assume ./live.yaml                      serves what was learned
  ${invocation} calibrate … --check live.yaml               in CI: has the service changed?
  ${invocation} calibrate … --allow-writes --agent support  learns about updates as well

Exit status: 0 if it finished, 1 if it had to stop or --check found a change, 2 for wrong usage or a refused key.`

interface CalibrateFlags extends ServiceFlags {
  readonly agent?: string
  readonly allowWrites?: true
  readonly maxRequests: number
  readonly dryRun?: true
  readonly out?: string
  readonly check?: string
}

/** Learns which assumptions a live service follows. @throws ExitError, LiveError */
async function runCalibrate(flags: CalibrateFlags): Promise<void> {
  const { baseUrl, agent, out, check, rate, maxRequests, allowWrites = false } = flags
  if (allowWrites && agent === undefined) {
    throw new InputError('--allow-writes needs --agent HANDLE: the one identity that may be updated.')
  }
  const options = { baseUrl, agent, rate, maxRequests, allowWrites }
  if (flags.dryRun) {
    process.stdout.write(planOf(options))
    return
  }
  const apiKey = apiKeyFrom(flags.apiKeyEnv)
  const before = check === undefined ? undefined : await choicesOf([{ from: '--check', input: check }])
  if (out !== undefined) await checkFile(out)
  const progress = new Progress()
  // What was changed is restored first, however slow the service is.
  const ending = allowWrites ? { exitAfter: 60_000 } : {}
  const calibration = await interruptible(({ signal }) => {
    const onAnswer = (answer: Answer) => progress.show(describeExchange(answer))
    return calibrate({ ...options, apiKey, signal, onAnswer })
  }, ending).finally(() => progress.end())
  process.stdout.write(sanitize(formatCalibration(calibration, baseUrl, before)))
  if (out !== undefined) {
    const text = formatLiveAssumptions(calibration, baseUrl, formatInstant(wallTime()))
    await explained(out, () => writeFileWhole(out, text))
  }
  const isChanged = calibration.findings.some((finding) => isChange(finding, before))
  if (calibration.stopped || isChanged) throw new ExitError(exitStatus.failed)
}

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
      numberWithin(1, Infinity, 'It must be a duration such as 90d, 12h or 30m.', parseDuration),
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

interface ImportFlags extends ServiceFlags {
  readonly assume?: readonly AssumptionsLayer[]
  readonly out: string
  readonly agent: readonly string[]
  readonly since?: number
  readonly keepPrivate?: true
}

/** Imports the mailboxes of a live service as a scenario. */
async function runImport(flags: ImportFlags): Promise<void> {
  const { baseUrl, rate, out, since, keepPrivate = false, agent: agents } = flags
  const apiKey = apiKeyFrom(flags.apiKeyEnv)
  const choices = await choicesOf(flags.assume)
  await explained(out, () => prepareFile(join(out, 'scenario.yaml')))
  const progress = new Progress()
  await interruptible(async ({ signal }) => {
    const { scenario, counts, notes } = await importMailbox({
      ...{ baseUrl, apiKey, rate, out, since, keepPrivate, agents, choices, signal },
      onProgress: (sentence) => progress.show(sentence),
    }).finally(() => progress.show(''))
    for (const note of notes) progress.print(`note: ${note}`)
    process.stdout.write(
      `${scenario}: ${formatSummary(counts)}.\n${invocation} serve ${formatCommand([scenario])} serves it.\n`,
    )
  })
}

/** The flags that say where a live service is, and how often it is asked. */
interface ServiceFlags {
  readonly baseUrl: string
  readonly apiKeyEnv: string
  readonly rate: number
}

/** Adds the flags that say where a live service is, and how often it is asked. */
function addServiceFlags(command: Command): Command {
  return command
    .requiredOption('--base-url <url>', 'base URL of the service, without /api/v1', parseServiceUrl)
    .requiredOption('--api-key-env <name>', 'environment variable that holds the API key')
    .option(
      '--rate <number>',
      'requests per second',
      numberWithin(
        Number.MIN_VALUE,
        1000,
        'It must be a number of requests a second, above 0 and at most 1000.',
        (text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined),
      ),
      5,
    )
}

/** Returns the key that an environment variable holds. @throws InputError */
function apiKeyFrom(name: string): string {
  const key = process.env[name]?.trim()
  if (!key) {
    const remedy = `the environment variable ${name} is missing or empty; set it first: export ${name}=…`
    throw new InputError(`--api-key-env ${name}: ${remedy}`)
  }
  if (/^[!-~]+$/.test(key)) return key
  // A later refusal, by fetch, would quote it.
  const expected = 'expected printable ASCII characters without spaces, since it is sent in a header'
  throw new InputError(`--api-key-env ${name}: ${name} does not hold an API key; ${expected}.`)
}

/** Returns the assumptions that layers choose instead of the default. @throws WorldError */
async function choicesOf(
  layers: readonly AssumptionsLayer[] = [],
): Promise<Readonly<Record<string, string>>> {
  const { assumptions, origins } = await addAssumptions(chooseAssumptions([]), layers)
  const chosen = Object.entries(assumptions).filter(([gap]) => origins[gap as GapId] !== 'default')
  return Object.fromEntries(chosen)
}

/** Parses the address of a live service, and removes its path. @throws InvalidArgumentError */
export function parseServiceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '') {
    return text.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  }
  throw new InvalidArgumentError('It must be an http(s) address such as https://mail.example.')
}
