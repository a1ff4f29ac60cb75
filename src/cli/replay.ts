import { type Command, InvalidArgumentError } from 'commander'
import { invocation } from '../base/package.js'
import type { AttackMode } from '../runs/attacks/attacks.js'
import type { Requirement } from '../runs/trials/trials-summary.js'
import { flagCommand } from './flag-command.js'
import { collectText, parseTrials, parseWait } from './flag-values.js'
import {
  addNetworkFlags,
  addPaceFlags,
  addWorldFlags,
  agentControlsOption,
  jobsOption,
  reporterOption,
  variableOption,
} from './flags.js'

/** Adds the command that plays a story against an agent and judges the outcome. */
export function addReplay(command: Command) {
  command
    .description(description)
    .usage('<scenario> [options] [-- <command> [argument...]]')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file')
    .allowExcessArguments()
  const paced = addPaceFlags(
    addWorldFlags(flagCommand(command), {
      described: 'default: auto; without a command, the story is played immediately',
    }),
  )
    .optionsGroup('When it begins and ends:')
    .addOption(variableOption())
    .option('--ready <url>', 'start when this URL responds, e.g. your webhook receiver', parseUrl)
    .option(
      '--grace <duration>',
      'story time after the last entry (default: 1h; on other clocks than auto 30s)',
      parseWait,
    )
    .option('--restart', 'start the command again when it exits with an error')
    .option('--before <command>', 'a command line that a shell runs before each play')
    .option('--keep', 'keep the server running afterwards, until Ctrl-C')
    .optionsGroup('How often, and what is required:')
    .option('--trials <number>', 'play it this many times, each time in a fresh world', parseTrials)
    .option(
      '--require <all|rate>',
      'the share of the trials that must pass, e.g. 0.9 (default: all)',
      parseRequirement,
    )
    .addOption(jobsOption('1'))
    .option('--vary-seed', 'another seed for each trial; the first has the given one')
    .option('--bail', 'stop once the requirement can no longer be met')
    .optionsGroup('Under attack:')
    .option(
      '--attacks <none|all|names>',
      'lay attacks over the story: all together, or each of these separately (default: as the scenario says)',
      parseAttacks,
    )
    .option(
      '--disturb <id>',
      'play it with a disturbance of check, after one undisturbed play to compare with',
    )
    .optionsGroup('Output:')
    .addOption(reporterOption())
    .option(
      '--out <path>',
      'write the report to this file; to a folder (dir/) also the requests, and the gaps that responses depend on (repeatable)',
      collectText,
    )
    .option(
      '--verbose',
      'print requests, deliveries and stack traces on the error stream, and all rows of tables',
    )
  return addNetworkFlags(paced, 0).addOption(agentControlsOption()).addHelpText('after', `\n${examples}`)
}

const description = [
  'Plays a scenario to an agent on its own server: mail arrives, requests fail, time passes. At the end, it ' +
    'reports which expectations of the scenario hold and, for the others, the closest match.',
  'The command finds the service in MAILBOX_BASE_URL and MAILBOX_API_KEY, its tools in MAILBOX_MCP_URL, and the control API in MAILBOX_SIM_URL. The ' +
    'story begins once the command is up: its webhook receivers accept connections, or its first request arrives. When the ' +
    'story has ended, the command gets SIGTERM. If it exits earlier with status 0, the rest of the story is played ' +
    'without it. Without a command, the whole story is played immediately.',
].join('\n\n')

const examples = `Examples:
  ${invocation} replay refund-request -- python my_agent.py
  ${invocation} replay story.yaml --clock 60x -- npx tsx agent.ts
  ${invocation} replay story.yaml --trials 10 --require 0.9 --jobs 2 -- python my_agent.py
  ${invocation} replay prompt-injection --attacks all -- python my_agent.py
  ${invocation} replay story.yaml --ready http://127.0.0.1:8787/ -- ./agent --port 8787
  ${invocation} replay story.yaml --out results/ -- npm run agent    report.html, report.json, report.xml, …

Exit status: 0 if everything passed (of trials: as many as required), 1 if something did not, 2 for wrong usage, an invalid
scenario, or a run in which nothing was checked.`

function parseRequirement(text: string): Requirement {
  if (text === 'all') return text
  const rate = /^[\d.]+$/.test(text) ? Number(text) : Number.NaN
  if (rate >= 0 && rate <= 1) return rate
  throw new InvalidArgumentError('It must be all, or a share from 0 to 1 such as 0.9.')
}

function parseAttacks(text: string): AttackMode | 'none' {
  if (text === 'none' || text === 'all') return text
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => name !== '')) return names
  throw new InvalidArgumentError('It must be none, all, or names of attacks, separated by commas.')
}

function parseUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text
  throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:8787/.')
}
