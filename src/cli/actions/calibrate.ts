import type { Need } from '../../contract/gaps/gap.js'
import { type CalibrateOptions, type Calibration, calibrate, planOf } from '../../live/calibrate/calibrate.js'
import { describeExchange } from '../../live/calibrate/exchange.js'
import {
  calibrationReport,
  type DocumentOptions,
  documentOf,
  formatLiveAssumptions,
} from '../../live/calibrate/report.js'
import { SavedRun } from '../../live/calibrate/saved-run.js'
import { writeFileWhole } from '../../runs/reports/write-file.js'
import type { addCalibrate } from '../calibrate.js'
import { InputError, interruptible } from '../failure.js'
import type { FlagsOf } from '../flag-command.js'
import { checkFile, explained, failUnlessPassed, writeReport } from '../report-output.js'
import { Progress } from '../terminal.js'
import { apiKeyFrom, assumptionsOfLayers, keyHider, withHidden } from './live-service.js'

type CalibrateFlags = FlagsOf<typeof addCalibrate>

/** Learns which assumptions a live service follows. */
export async function runCalibrate(flags: CalibrateFlags): Promise<void> {
  const { baseUrl, agent, out } = flags
  if (flags.allowWrites && agent === undefined) {
    throw new InputError('--allow-writes needs --agent HANDLE: the one identity that may be updated.')
  }
  if (flags.resume && out === undefined) {
    throw new InputError('--resume needs --out FILE: the unfinished run is kept beside it.')
  }
  const needs = needsOf(flags)
  if (flags.dryRun) {
    process.stdout.write(planOf({ baseUrl, agent, needs, rate: flags.rate, maxRequests: flags.maxRequests }))
    return
  }
  const apiKey = apiKeyFrom(flags.apiKeyEnv)
  const { check } = flags
  const before =
    check === undefined ? undefined : await assumptionsOfLayers([{ from: '--check', input: check }])
  if (out !== undefined) await checkFile(out, '--out')
  const saved = out === undefined ? undefined : new SavedRun(out, baseUrl)
  // Changes are reverted first, regardless of how slow the service is.
  const ending = flags.allowWrites ? { exitAfter: 60_000 } : {}
  await interruptible(async ({ signal }) => {
    const resumed = flags.resume && (await saved?.read())
    const hide = keyHider(apiKey)
    const options = { apiKey, needs, signal, before: resumed || undefined }
    const calibration = await withHidden(hide, () => run(flags, options, hide))
    const { stopped } = calibration
    if (stopped) await saved?.write(calibration)
    else await saved?.remove()
    const hint =
      stopped && saved ? [`--resume continues from here; ${saved.path} keeps the responses so far.`] : []
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
  hide: (text: string) => string,
): Promise<Calibration> {
  const progress = verbose ? new Progress(process.stderr, false) : new Progress()
  const tell = (sentence: string): void => progress.print(hide(sentence))
  try {
    return await calibrate({
      ...{ ...options, baseUrl, agent, rate, maxRequests },
      onWait: tell,
      onProbed({ exchange }) {
        if (verbose) tell(describeExchange(exchange))
        else progress.show(hide(describeExchange(exchange)))
      },
    })
  } finally {
    progress.end()
  }
}

/** Writes the results to the files of flags and to the standard output. @throws FailedRun */
async function report(
  calibration: Calibration,
  { baseUrl, out, reporter }: CalibrateFlags,
  { hint, ...about }: Omit<DocumentOptions, 'baseUrl'> & { readonly hint: readonly string[] },
): Promise<void> {
  const document = documentOf(calibration, { baseUrl, ...about })
  const found = calibrationReport(document)
  await writeReport({ ...found, notes: [...found.notes, ...hint] }, { format: reporter, place: undefined })
  if (out !== undefined) await explained(out, () => writeFileWhole(out, formatLiveAssumptions(document)))
  failUnlessPassed(found)
}
