import type { Command } from 'commander'
import { invocation } from '../base/package.js'
import { type Answer, describeExchange } from '../live/answer.js'
import { calibrate, planOf } from '../live/calibrate/calibrate.js'
import { driftFrom, formatCalibration, formatLiveAssumptions } from '../live/calibrate/report.js'
import { writeFileWhole } from '../runs/reports/write-file.js'
import { formatInstant } from '../service/time/time.js'
import { wallTime } from '../service/time/wall-time.js'
import { ExitError, exitStatus, InputError, interruptible } from './failure.js'
import { numberWithin } from './flag-values.js'
import { addServiceFlags, apiKeyFrom, assumptionsOfLayers, type ServiceFlags } from './live-service.js'
import { checkFile, explained } from './report-output.js'
import { Progress, sanitize } from './terminal.js'

/** Adds the command that learns how a live service settles the gaps. */
export function addCalibrate(command: Command): void {
  command.description(description).usage('--base-url <url> --api-key-env <name> [options]')
  addServiceFlags(command.optionsGroup('The service:'))
    .option('--agent <handle>', 'the agent to send requests about (default: one that the mailbox shows)')
    .optionsGroup('What it may do:')
    .option('--allow-writes', 'also PATCH the identity of --agent, and restore it each time')
    .option('--max-requests <number>', 'maximum number of requests', parseCount, 300)
    .option('--dry-run', 'show what would be sent, and send nothing')
    .optionsGroup('Output:')
    .option('--out <file>', 'write what was learned to this file of assumptions')
    .option(
      '--check <file>',
      'compare with a file of assumptions; exit status 1 if the service contradicts it',
    )
    .addHelpText('after', `\n${examples}`)
    .action(runCalibrate)
}

const description = [
  'Sends requests to a service, for each gap those that show how it is settled. What the answers show is written to ' +
    '--out, a file for --assume; what they cannot show is unclear, never a guess.',
  'By default, it only reads and changes nothing.',
].join('\n\n')

const examples = `Examples:
  MAIL_KEY=… ${invocation} calibrate --base-url https://mail.example --api-key-env MAIL_KEY --out live.yaml
  ${invocation} --assume ./live.yaml                      serves what was learned
  ${invocation} calibrate … --check live.yaml               in CI: has the service changed?
  ${invocation} calibrate … --allow-writes --agent support  learns about updates as well

Exit status: 0 if it finished, 1 if it had to stop or --check found a change, 2 for wrong usage or a refused key.`

const parseCount = numberWithin(1, 999_999, 'It must be a number of requests, 1 or more.')

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
  const layers = check === undefined ? undefined : [{ from: '--check', input: check }]
  const before = layers && (await assumptionsOfLayers(layers)).choices
  if (out !== undefined) await checkFile(out, '--out')
  const progress = new Progress()
  // What was changed is restored first, however slow the service is.
  const ending = allowWrites ? { exitAfter: 60_000 } : {}
  const calibration = await interruptible(({ signal }) => {
    const onAnswer = (answer: Answer) => progress.show(describeExchange(answer))
    return calibrate({ ...options, apiKey, signal, onAnswer })
  }, ending).finally(() => progress.end())
  const drift = before && driftFrom(before, calibration)
  process.stdout.write(sanitize(formatCalibration(calibration, baseUrl, drift)))
  if (out !== undefined) {
    const text = formatLiveAssumptions(calibration, baseUrl, formatInstant(wallTime()))
    await explained(out, () => writeFileWhole(out, text))
  }
  if (calibration.stopped || (drift && drift.length > 0)) throw new ExitError(exitStatus.failed)
}
