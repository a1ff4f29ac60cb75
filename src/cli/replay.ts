import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ClockMode } from '../world/clock-mode.js'
import { parseDuration } from '../world/time.js'
import { formatCommandWords, splitCommandWords } from './command-words.js'
import { InputError } from './failure.js'
import { collectName } from './flag-values.js'
import { addNetworkFlags, addWorldFlags, type ServerFlags } from './server-flags.js'

const reporters = ['human', 'json', 'junit'] as const

/** How a report is written. */
export type ReplayReporter = (typeof reporters)[number]

/** What the command is told by its flags. */
export interface ReplayFlags extends ServerFlags {
  readonly clock?: ClockMode
  readonly grace?: number
  readonly ready?: string
  readonly readyTimeout?: number
  readonly record?: string
  readonly compare?: string
  readonly volatile?: readonly string[]
  readonly reporter?: ReplayReporter
  readonly json?: true
  readonly out?: string
  readonly keep?: true
  readonly verbose?: true
}

/** Adds the command that plays a story against an agent and judges the outcome. */
export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .summary('play a story against your agent, and judge what it did')
    .description(description)
    .usage('<scenario> [options] [-- <command> [argument...]]')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file')
    .allowExcessArguments()
  addWorldFlags(command, { described: 'default: 10x; without a command, all at once' })
    .optionsGroup('When it begins and ends:')
    .option('--ready <url>', 'begin when somebody answers there, e.g. your webhook receiver', parseUrl)
    .option(
      '--ready-timeout <duration>',
      'how long to wait for the agent (default: 10s; 1m with --ready)',
      parseWait,
    )
    .option('--grace <duration>', 'story time after the last entry (default: 30s)', parseWait)
    .option('--keep', 'leave the server up afterwards, for a look, until Ctrl-C')
    .optionsGroup('Tapes:')
    .option('--record <file>', 'write the requests of the agent to a tape')
    .option('--compare <file>', 'fail where the requests are not those of a tape')
    .option(
      '--volatile <list>',
      'what may differ, e.g. query.offset,body.note,repeats (repeatable)',
      collectName,
    )
    .optionsGroup('What it says:')
    .addOption(
      new Option('--reporter <name>', 'how the report is written (default: human)').choices(reporters),
    )
    .option('--json', 'the same as --reporter json')
    .option('--out <path>', 'a file for the report, or a folder (dir/) for report, HAR and reliances')
    .option('--verbose', 'every request and delivery, and stack traces, on the error stream')
  addNetworkFlags(command, 0).addHelpText('after', `\n${examples}`).action(replay)
}

const description = [
  'Plays a scenario against an agent, on a server of its own: mail arrives, things fail, time passes. In the end it ' +
    'tells which of the expectations of the scenario hold, and shows for the others what came nearest.',
  'The command finds the service in MAILBOX_BASE_URL and MAILBOX_API_KEY, and the control API in MAILBOX_SIM_URL. The ' +
    'story begins once it is up: its webhook receivers take connections, or its first request comes. When the story ' +
    'is over, it gets SIGTERM, which is fine; when it ends before, with status 0, the rest of the story happens ' +
    'without it. Without a command, the whole story happens at once.',
].join('\n\n')

const examples = `Examples:
  agent-mailbox-sim replay refund-request -- python my_agent.py
  agent-mailbox-sim replay story.yaml --clock 60x -- npx tsx agent.ts
  agent-mailbox-sim replay story.yaml --ready http://127.0.0.1:8787/ -- ./agent --port 8787
  agent-mailbox-sim replay story.yaml --out results/ -- npm run agent    report.json, report.xml, journal.har, …
  agent-mailbox-sim replay story.yaml --record agent.tape -- ./agent     keeps what it asked
  agent-mailbox-sim replay story.yaml --compare agent.tape -- ./agent    and tells where it asks otherwise

Exit status: 0 where all is as it should be, 1 where it is not, 2 for wrong usage or a scenario that does not fit.`

async function replay(_: string | undefined, flags: ReplayFlags, command: Command): Promise<void> {
  const { own, words } = splitCommandWords(command)
  const [scenario, ...surplus] = own
  const example = 'agent-mailbox-sim replay refund-request -- python my_agent.py'
  if (scenario === undefined) throw new InputError(`replay needs a scenario: ${example}`)
  if (surplus.length > 0) {
    const meant =
      words.length > 0 ? '' : ` Did you mean: replay ${scenario} -- ${formatCommandWords(surplus)}`
    throw new InputError(`replay takes one scenario; the command goes after --.${meant}`)
  }
  // Loaded here, so that help and wrong flags are answered without it.
  const { runReplay } = await import('./replay-run.js')
  await runReplay(scenario, words, flags)
}

function parseUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text
  throw new InvalidArgumentError('It is a URL such as http://127.0.0.1:8787/.')
}

/** Milliseconds, no more than a timer takes. */
function parseWait(text: string): number {
  const duration = parseDuration(text)
  if (duration !== undefined && duration >= 0 && duration < 2 ** 31) return duration
  throw new InvalidArgumentError('It is a duration such as 30s, 5m or 1h, at most 24 days.')
}
