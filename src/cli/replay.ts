import { type Command, InvalidArgumentError } from 'commander'
import { invocation } from '../contract/package.js'
import type { Replayed, ReplayOptions } from '../replay/options.js'
import type { TypedFlag } from '../reports/index.js'
import { InputError, type Interruption, interruptible } from './failure.js'
import {
  addNetworkFlags,
  addWorldFlags,
  type ClientFlags,
  parseClientCommand,
  parseWait,
  reporterOption,
  type ServerFlags,
  serverOptionsOf,
  typedFlagsOf,
  variableOption,
} from './flags.js'
import { Progress, styleFor, withLoadingLine } from './terminal.js'

interface ReplayFlags extends ServerFlags, ClientFlags {
  readonly grace?: number
  readonly ready?: string
  readonly readyTimeout?: number
  readonly json?: true
  readonly keep?: true
}

/** Adds the command that plays a story against an agent and judges the outcome. */
export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .summary('play a story to your agent and judge what it did')
    .description(description)
    .usage('<scenario> [options] [-- <command> [argument...]]')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file')
    .allowExcessArguments()
  addWorldFlags(command, { described: 'default: 10x; without a command, all at once' })
    .optionsGroup('When it begins and ends:')
    .addOption(variableOption())
    .option('--ready <url>', 'start when this URL answers, e.g. your webhook receiver', parseUrl)
    .option(
      '--ready-timeout <duration>',
      'how long to wait for the agent (default: 10s; 1m with --ready)',
      parseWait,
    )
    .option('--grace <duration>', 'story time after the last entry (default: 30s)', parseWait)
    .option('--keep', 'keep the server running afterwards, until Ctrl-C')
    .optionsGroup('Output:')
    .addOption(reporterOption())
    .option('--json', 'the same as --reporter json')
    .option('--out <path>', 'write the report to this file; to a folder (dir/) also HAR and reliances')
    .option('--verbose', 'print requests, deliveries and stack traces on the error stream')
  addNetworkFlags(command, 0).addHelpText('after', `\n${examples}`)
  const typed = typedFlagsOf(command)
  command.action((_: string | undefined, flags: ReplayFlags, line: Command) => replay(flags, line, typed))
}

const description = [
  'Plays a scenario to an agent on its own server: mail arrives, requests fail, time passes. At the end, it ' +
    'reports which expectations of the scenario hold and, for the others, what came closest.',
  'The command finds the service in MAILBOX_BASE_URL and MAILBOX_API_KEY, and the control API in MAILBOX_SIM_URL. The ' +
    'story begins once the command is up: its webhook receivers accept connections, or its first request arrives. When the ' +
    'story is over, the command gets SIGTERM. If it ends earlier with status 0, the rest of the story happens ' +
    'without it. Without a command, the whole story happens at once.',
].join('\n\n')

const examples = `Examples:
  ${invocation} replay refund-request -- python my_agent.py
  ${invocation} replay story.yaml --clock 60x -- npx tsx agent.ts
  ${invocation} replay story.yaml --ready http://127.0.0.1:8787/ -- ./agent --port 8787
  ${invocation} replay story.yaml --out results/ -- npm run agent    report.json, report.xml, journal.har, …

Exit status: 0 if everything passed, 1 if something did not, 2 for wrong usage or an invalid scenario.`

async function replay(flags: ReplayFlags, line: Command, typed: readonly TypedFlag[]): Promise<void> {
  const { scenario, command } = await parseClientCommand(line, typed)
  const example = `${invocation} replay refund-request -- python my_agent.py`
  if (scenario === undefined) throw new InputError(`replay needs a scenario: ${example}`)
  await interruptible((interruption) => replayAndReport(scenario, command, flags, interruption))
}

async function replayAndReport(
  scenario: string,
  words: readonly string[],
  flags: ReplayFlags,
  interruption: Interruption,
): Promise<void> {
  const { recordWorld } = await import('../reports/index.js')
  const { prepareResults, toReport, writeResults } = await import('../replay/report.js')
  const { explained, failUnlessPassed, reportPlace, writeReport } = await import('./report-output.js')
  const chosen = flags.reporter ?? (flags.json ? 'json' : undefined)
  const place = flags.out === undefined ? undefined : await reportPlace(flags.out, chosen)
  const { grace, clock, ready, readyTimeout } = flags
  const options = {
    ...serverOptionsOf(flags),
    ...{ clock, grace, ready, readyTimeout },
    scenario,
    command: words.length > 0 ? words : undefined,
    variables: flags.env,
    trace: place?.is === 'folder' ? await explained(place.path, () => prepareResults(place.path)) : undefined,
  }
  const replayed = await play(options, flags, interruption)
  const { simulator } = replayed.server
  const recording = () => recordWorld(simulator, replayed.report.verdicts)
  const report = { ...toReport(replayed.report), recording }
  try {
    await writeReport(report, {
      format: chosen ?? 'human',
      place,
      writeFolder: (path) => writeResults(path, report, simulator),
    })
    if (flags.keep) await keep(replayed, interruption)
  } finally {
    await replayed.server.close()
  }
  failUnlessPassed(report)
}

/** Plays the story, with its progress on the error stream. */
async function play(
  options: ReplayOptions & { readonly scenario: string },
  { verbose }: ReplayFlags,
  { signal, kill }: Interruption,
): Promise<Replayed> {
  const { replayAndKeep } = await import('../replay/replay.js')
  const { ReplayProgress } = await import('./replay-progress.js')
  const watcher = new ReplayProgress(new Progress(), styleFor(process.stderr), verbose === true)
  try {
    return await withLoadingLine(options.scenario, undefined, (onProgress) => {
      return replayAndKeep({ ...options, onProgress, signal, kill, watcher })
    })
  } finally {
    watcher.end()
  }
}

/** Keeps the server running until an interruption. */
async function keep({ server }: Replayed, { signal }: Interruption): Promise<void> {
  if (signal.aborted) return
  process.stderr.write(
    `\nThe server is still running at ${server.url} (control ${server.controlUrl}). Ctrl-C stops it.\n`,
  )
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function parseUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text
  throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:8787/.')
}
