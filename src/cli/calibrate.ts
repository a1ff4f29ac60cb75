import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Calibration } from '../calibrate/calibrate.js'
import type { CalibrationDocument } from '../calibrate/report.js'
import type { Need } from '../contract/gaps.js'
import type { ReportFormat } from '../reports/index.js'
import { InputError, type Interruption, listenForInterruption } from './failure.js'
import { parsePort, parseWait } from './flags.js'
import { clearLine, isWatched, replaceLine } from './terminal.js'

interface CalibrateFlags {
  readonly baseUrl: string
  readonly apiKeyEnv: string
  readonly agent?: string
  readonly allowWrites?: true
  readonly burst?: true
  readonly listen?: number
  readonly for: number
  readonly secretEnv?: string
  readonly rate: number
  readonly maxRequests: number
  readonly dryRun?: true
  readonly resume?: true
  readonly out?: string
  readonly check?: string
  readonly har?: string
  readonly reporter: ReportFormat
  readonly verbose?: true
}

/** Adds the command that learns how a live service settles the gaps. */
export function addCalibrate(program: Command): void {
  program
    .command('calibrate')
    .summary('learn from a live service how it settles the silent points')
    .description(description)
    .usage('--base-url <url> --api-key-env <name> [options]')
    .optionsGroup('Whom it asks:')
    .requiredOption('--base-url <url>', 'where the service is, without /api/v1', parseBaseUrl)
    .requiredOption('--api-key-env <name>', 'the environment variable that holds the API key')
    .option('--agent <handle>', 'the agent to ask about (default: one that the mailbox shows)')
    .optionsGroup('What it may do:')
    .option('--allow-writes', 'also PATCH the identity of --agent, and put it back each time')
    .option('--burst', 'also send as many reads as a limit of requests takes')
    .option('--listen <port>', 'also learn from deliveries, received on this port of 127.0.0.1', parsePort)
    .option('--for <duration>', 'how long to listen', parseWait, 600_000)
    .option(
      '--secret-env <name>',
      'the variable with what deliveries are signed with, several apart by spaces',
    )
    .option('--rate <number>', 'requests a second', parseRate, 5)
    .option('--max-requests <number>', 'requests in all', parseCount, 300)
    .option('--dry-run', 'show what would be sent, and send nothing')
    .optionsGroup('What it says:')
    .option('--out <file>', 'a file of readings with what was learned')
    .option('--resume', 'go on with the run that --out has left unfinished')
    .option('--check <file>', 'compare with a file of readings: exit 1 if the service contradicts it')
    .option('--har <file>', 'the exchanges, keys masked')
    .addOption(
      new Option('--reporter <format>', 'what the standard output gets')
        .choices(['human', 'json', 'junit', 'markdown', 'html'])
        .default('human'),
    )
    .option('--verbose', 'every exchange on the error stream, and stack traces')
    .addHelpText('after', `\n${examples}`)
    .action(calibrateService)
}

const description = [
  'Sends requests to a service and rules out, gap by gap, the readings that its answers contradict. What is left is ' +
    'written to --out: a file that --readings takes.',
  'It reads, unless it is allowed more, and changes nothing.',
].join('\n\n')

const examples = `Examples:
  MAIL_KEY=… agent-mailbox-sim calibrate --base-url https://mail.example --api-key-env MAIL_KEY --out live.yaml
  agent-mailbox-sim --readings ./live.yaml                       serves with what was learned
  agent-mailbox-sim calibrate … --check live.yaml                in CI: has the service changed?
  agent-mailbox-sim calibrate … --allow-writes --agent support   learns about updates as well

Exit status: 0 if it went through, 1 if it had to stop or --check found a change, 2 for wrong usage or a refused key.`

async function calibrateService(flags: CalibrateFlags): Promise<void> {
  const { baseUrl, agent, out } = flags
  if (flags.allowWrites && agent === undefined) {
    throw new InputError('--allow-writes needs --agent HANDLE: the one identity that may be updated.')
  }
  if (flags.resume && out === undefined) {
    throw new InputError('--resume needs --out FILE: the unfinished run is kept beside it.')
  }
  const needs = needsOf(flags)
  if (flags.dryRun) {
    const { planOf } = await import('../calibrate/plan.js')
    process.stdout.write(planOf({ baseUrl, agent, needs, rate: flags.rate, maxRequests: flags.maxRequests }))
    return
  }
  const apiKey = keyOf(flags.apiKeyEnv)
  const secrets = flags.secretEnv === undefined ? [] : keyOf(flags.secretEnv, '--secret-env').split(/\s+/)
  const before = flags.check === undefined ? undefined : await readingsIn(flags.check)
  const { SavedRun } = await import('../calibrate/saved-run.js')
  const saved = out === undefined ? undefined : new SavedRun(out, baseUrl)
  // What was changed is put back first, however slow the service is.
  const interruption = listenForInterruption(flags.allowWrites ? { exitAfter: 60_000 } : {})
  try {
    const calibration = await run(flags, apiKey, {
      ...{ interruption, secrets },
      needs,
      before: flags.resume && (await saved?.read()),
    })
    const { stopped, probed } = calibration
    if (stopped) await saved?.write(probed)
    else await saved?.remove()
    const hint =
      stopped && saved ? [`--resume goes on from here; ${saved.path} keeps the answers so far.`] : []
    await tell(calibration, { flags, needs, secrets: [apiKey, ...secrets], before, hint })
  } finally {
    interruption.end()
  }
}

function needsOf({ allowWrites, burst, listen }: CalibrateFlags): ReadonlySet<Need> {
  return new Set<Need>([
    'reads',
    ...(allowWrites ? ['writes' as const] : []),
    ...(burst ? ['burst' as const] : []),
    ...(listen === undefined ? [] : ['deliveries' as const]),
  ])
}

/** Returns the key that an environment variable holds. @throws InputError */
export function keyOf(name: string, flag = '--api-key-env'): string {
  const key = process.env[name]?.trim()
  // Whoever refuses it later would quote it
  if (key && !/^[!-~]+$/.test(key)) {
    const expected = 'expected letters, digits and signs of ASCII, without spaces: a header carries it'
    throw new InputError(`--api-key-env ${name}: ${name} holds no API key; ${expected}.`)
  }
  if (key) return key
  throw new InputError(`${flag} ${name}: there is no environment variable ${name}, or it is empty.`)
}

interface RunOptions {
  readonly interruption: Interruption
  readonly secrets: readonly string[]
  readonly needs: ReadonlySet<Need>
  readonly before: Calibration['probed'] | undefined | false
}

async function run(
  { baseUrl, agent, rate, maxRequests, verbose, listen, ...flags }: CalibrateFlags,
  apiKey: string,
  { interruption, secrets, needs, before }: RunOptions,
): Promise<Calibration> {
  const { calibrate } = await import('../calibrate/calibrate.js')
  const { describeExchange } = await import('../calibrate/exchange.js')
  const { stderr } = process
  const isTerminal = !verbose && isWatched(stderr, process.env)
  const tell = (sentence: string): void => void stderr.write(`${isTerminal ? clearLine : ''}${sentence}\n`)
  try {
    return await calibrate({
      ...{ baseUrl, apiKey, agent, rate, maxRequests, needs },
      signal: interruption.signal,
      listen: listen === undefined ? undefined : { port: listen, duration: flags.for, secrets, tell },
      before: before || undefined,
      onWait: tell,
      onProbed: ({ exchange }) => {
        if (verbose) stderr.write(`${describeExchange(exchange)}\n`)
        else if (isTerminal) replaceLine(stderr, describeExchange(exchange))
      },
    })
  } finally {
    if (isTerminal) stderr.write(clearLine)
  }
}

interface Telling {
  readonly flags: CalibrateFlags
  readonly needs: ReadonlySet<Need>
  /** What no report shows. */
  readonly secrets: readonly string[]
  readonly before: Readonly<Record<string, string>> | undefined
  readonly hint: readonly string[]
}

async function tell(
  calibration: Calibration,
  { flags, needs, secrets, before, hint }: Telling,
): Promise<void> {
  const { documentOf, formatLiveReadings, toReport } = await import('../calibrate/report.js')
  const { writeFileWhole } = await import('../reports/index.js')
  const { explained, failUnlessPassed, writeReport } = await import('./report-output.js')
  const document: CalibrationDocument = documentOf(calibration, {
    baseUrl: flags.baseUrl,
    needs,
    before,
    secrets,
  })
  const { out, har } = flags
  if (out !== undefined) await explained(out, () => writeFileWhole(out, formatLiveReadings(document)))
  if (har !== undefined) {
    const { archiveOf, tokensIn } = await import('../calibrate/report.js')
    const exchanges = calibration.probed.map(({ exchange }) => exchange)
    const archive = archiveOf(exchanges, flags.baseUrl, [...secrets, ...tokensIn(exchanges)])
    await explained(har, () => writeFileWhole(har, `${JSON.stringify(archive, null, 2)}\n`))
  }
  const report = toReport(document)
  const notes = [...report.notes, ...hint]
  await writeReport({ ...report, notes }, { format: flags.reporter, place: undefined })
  failUnlessPassed(report)
}

/** The readings that a file names. @throws ReadingError */
export async function readingsIn(path: string): Promise<Readonly<Record<string, string>>> {
  const { readingsLayers } = await import('../scenario/index.js')
  const layers = await readingsLayers({ from: '--check', input: /[\\/]/.test(path) ? path : `./${path}` })
  return Object.assign({}, ...layers.map(({ input }) => (typeof input === 'object' ? input : {})))
}

/** Parses the address of a service. */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '') {
    return text.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  }
  throw new InvalidArgumentError('It must be an http(s) address such as https://mail.example.')
}

/** Parses how many requests a second may be sent. */
export function parseRate(text: string): number {
  const rate = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && rate > 0 && rate <= 1000) return rate
  throw new InvalidArgumentError('It must be a number of requests a second, above 0 and at most 1000.')
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number of requests, 1 or more.')
}
