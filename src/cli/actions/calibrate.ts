import { describeExchange } from '../../live/answer.js'
import { calibrate, planOf } from '../../live/calibrate/calibrate.js'
import { driftFrom, formatCalibration, formatLiveAssumptions } from '../../live/calibrate/report.js'
import { writeFileWhole } from '../../runs/reports/write-file.js'
import { formatInstant } from '../../service/time/time.js'
import { wallTime } from '../../service/time/wall-time.js'
import type { addCalibrate } from '../calibrate.js'
import { FailedRun, InputError, interruptible } from '../failure.js'
import type { FlagsOf } from '../flag-command.js'
import { checkFile, explained } from '../report-output.js'
import { Progress, sanitize } from '../terminal.js'
import { apiKeyFrom, assumptionsOfLayers, keyHider, withHidden } from './live-service.js'

type CalibrateFlags = FlagsOf<typeof addCalibrate>

/** Learns which assumptions a live service follows. @throws InputError, LiveError, FailedRun */
export async function runCalibrate(flags: CalibrateFlags): Promise<void> {
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
  const layers = check === undefined ? undefined : [{ from: '--check', input: check }]
  const before = layers && (await assumptionsOfLayers(layers)).choices
  if (out !== undefined) await checkFile(out, '--out')
  const hide = keyHider(apiKey)
  const progress = new Progress()
  // What was changed is restored first, however slow the service is.
  const ending = allowWrites ? { exitAfter: 60_000 } : {}
  const calibration = await interruptible(({ signal }) => {
    const onAnswer = (answer: Parameters<typeof describeExchange>[0]) =>
      progress.show(hide(describeExchange(answer)))
    return withHidden(hide, () => calibrate({ ...options, apiKey, signal, onAnswer }))
  }, ending).finally(() => progress.end())
  const drift = before && driftFrom(before, calibration)
  process.stdout.write(sanitize(hide(formatCalibration(calibration, baseUrl, drift))))
  if (out !== undefined) {
    const text = hide(formatLiveAssumptions(calibration, baseUrl, formatInstant(wallTime())))
    await explained(out, () => writeFileWhole(out, text))
  }
  if (calibration.stopped || (drift && drift.length > 0)) throw new FailedRun()
}
