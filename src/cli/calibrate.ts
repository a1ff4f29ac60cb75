import { type Command, Option } from 'commander'
import type { CalibrateOptions, Calibration } from '../calibrate/calibrate.js'
import type { DocumentOptions } from '../calibrate/report.js'
import type { Need } from '../contract/gaps.js'
import { invocation } from '../contract/package.js'
import { type ReportFormat, reportFormats } from '../reports/formats.js'
import { InputError, interruptible } from './failure.js'
import {
  apiKeyFrom,
  apiKeyOption,
  baseUrlOption,
  numberWithin,
  rateOption,
  readingsOfLayers,
  type ServiceFlags,
} from './flags.js'
import { Progress } from './terminal.js'

interface CalibrateFlags extends ServiceFlags {
  readonly agent?: string
  readonly allowWrites?: true
  readonly burst?: true
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
    .summary('learn which readings a live service follows')
    .description(description)
    .usage('--base-url <url> --api-key-env <name> [options]')
    .optionsGroup('The service:')
    .addOption(baseUrlOption())
    .addOption(apiKeyOption())
    .option('--agent <handle>', 'the agent to send requests about (default: one that the mailbox shows)')
    .optionsGroup('What it may do:')
    .option('--allow-writes', 'also PATCH the identity of --agent, and restore it each time')
    .option('--burst', 'also send 65 reads at once, to see whether requests are limited')
    .addOption(rateOption())
    .option('--max-requests <number>', 'maximum number of requests', parseCount, 300)
    .option('--dry-run', 'show what would be sent, and send nothing')
    .optionsGroup('Output:')
    .option('--out <file>', 'write what was learned to this file of readings')
    .option('--resume', 'continue the unfinished run that is kept beside --out')
    .option('--check <file>', 'compare with a file of readings; exit status 1 if the service contradicts it')
    .option('--har <file>', 'save the exchanges as HAR, with keys masked')
    .addOption(
      new Option('--reporter <format>', 'the format of the report')
        .choices(reportFormats.filter((format) => format !== 'html'))
        .default('human'),
    )
    .option('--verbose', 'print exchanges and stack traces on the error stream')
    .addHelpText('after', `\n${examples}`)
    .action(calibrateService)
}

const description = [
  'Sends requests to a service and rules out, gap by gap, the readings that its answers contradict. The rest is ' +
    'written to --out, a file for --readings.',
  'By default, it only reads and changes nothing.',
].join('\n\n')

const examples = `Examples:
  MAIL_KEY=… ${invocation} calibrate --base-url https://mail.example --api-key-env MAIL_KEY --out live.yaml
  ${invocation} --readings ./live.yaml                      serves what was learned
  ${invocation} calibrate … --check live.yaml               in CI: has the service changed?
  ${invocation} calibrate … --allow-writes --agent support  learns about updates as well

Exit status: 0 if it finished, 1 if it had to stop or --check found a change, 2 for wrong usage or a refused key.`

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
    const { planOf } = await import('../calibrate/calibrate.js')
    process.stdout.write(planOf({ baseUrl, agent, needs, rate: flags.rate, maxRequests: flags.maxRequests }))
    return
  }
  const apiKey = apiKeyFrom(flags.apiKeyEnv)
  const { check } = flags
  const before = check === undefined ? undefined : await readingsOfLayers([{ from: '--check', input: check }])
  const { checkFile } = await import('./report-output.js')
  if (out !== undefined) await checkFile(out, '--out')
  if (flags.har !== undefined) await checkFile(flags.har, '--har')
  const { SavedRun } = await import('../calibrate/saved-run.js')
  const saved = out === undefined ? undefined : new SavedRun(out, baseUrl)
  // Changes are reverted first, however slow the service is.
  const ending = flags.allowWrites ? { exitAfter: 60_000 } : {}
  await interruptible(async ({ signal }) => {
    const resumed = flags.resume && (await saved?.read())
    const calibration = await run(flags, { apiKey, needs, signal, before: resumed || undefined })
    const { stopped, probed } = calibration
    if (stopped) await saved?.write(probed)
    else await saved?.remove()
    const hint =
      stopped && saved ? [`--resume continues from here; ${saved.path} keeps the answers so far.`] : []
    await report(calibration, flags, { needs, before: before?.choices, secrets: [apiKey], hint })
  }, ending)
}

function needsOf({ allowWrites, burst }: CalibrateFlags): ReadonlySet<Need> {
  return new Set<Need>([
    'reads',
    ...(allowWrites ? ['writes' as const] : []),
    ...(burst ? ['burst' as const] : []),
  ])
}

async function run(
  { baseUrl, agent, rate, maxRequests, verbose }: CalibrateFlags,
  options: Pick<CalibrateOptions, 'apiKey' | 'needs' | 'signal' | 'before'>,
): Promise<Calibration> {
  const { calibrate } = await import('../calibrate/calibrate.js')
  const { describeExchange } = await import('../calibrate/exchange.js')
  const progress = verbose ? new Progress(process.stderr, false) : new Progress()
  const tell = (sentence: string): void => progress.print(sentence)
  try {
    return await calibrate({
      ...{ ...options, baseUrl, agent, rate, maxRequests },
      onWait: tell,
      onProbed({ exchange }) {
        if (verbose) tell(describeExchange(exchange))
        else progress.show(describeExchange(exchange))
      },
    })
  } finally {
    progress.end()
  }
}

/** Writes the results to the files of flags and to the standard output. @throws FailedRun */
async function report(
  calibration: Calibration,
  { baseUrl, out, har, reporter }: CalibrateFlags,
  { hint, ...about }: Omit<DocumentOptions, 'baseUrl'> & { readonly hint: readonly string[] },
): Promise<void> {
  const { documentOf, formatLiveReadings, journalOf, calibrationReport } = await import(
    '../calibrate/report.js'
  )
  const { writeFileWhole } = await import('../reports/index.js')
  const { explained, failUnlessPassed, writeReport } = await import('./report-output.js')
  const document = documentOf(calibration, { baseUrl, ...about })
  const found = calibrationReport(document)
  await writeReport({ ...found, notes: [...found.notes, ...hint] }, { format: reporter, place: undefined })
  if (out !== undefined) await explained(out, () => writeFileWhole(out, formatLiveReadings(document)))
  if (har !== undefined) {
    const { harText } = await import('../world/index.js')
    const archive = harText(journalOf(calibration.probed, baseUrl, about.secrets))
    await explained(har, () => writeFileWhole(har, archive), '--har')
  }
  failUnlessPassed(found)
}

const parseCount = numberWithin(1, 999_999, 'It must be a number of requests, 1 or more.')
