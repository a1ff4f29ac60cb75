import { type Command, Option } from 'commander'
import { invocation } from '../base/package.js'
import { type ClientVariables, placeholders } from '../runs/agent/client-environment.js'
import type { TypedFlag } from '../runs/reports/command-line.js'
import { type ReportFormat, reportFormats } from '../runs/reports/report.js'
import type { AssumptionsLayer } from '../service/assumptions/assumptions.js'
import { type ClockMode, formatInstant } from '../service/time/time.js'
import { wallTime } from '../service/time/wall-time.js'
import type { DeliveryFormat } from '../service/webhooks/delivery-format.js'
import {
  collectFormat,
  collectText,
  collectVariable,
  parseClock,
  parseCount,
  parseJobs,
  parseNames,
  parsePort,
  parseSeed,
  parseStoryStart,
  parseUrl,
  parseWait,
} from './flag-values.js'

/** Returns what help shows below the flags: command lines, without the program's name. */
export function examplesOf(...lines: readonly string[]): string {
  return `\nExample${lines.length === 1 ? '' : 's'}:\n${lines.map((line) => `  ${invocation} ${line}`).join('\n')}`
}

/** The flags of a server: its address, its deliveries, and what agents may do. */
export interface NetworkFlags {
  readonly port: number
  readonly host: string
  readonly deliveryFormat?: DeliveryFormat
  readonly allowDeliveryTo?: readonly string[]
  readonly maxSent?: number
  readonly tools?: readonly string[]
}

/** Adds the flags of a server. */
export function addNetworkFlags(command: Command, port: number): Command {
  return command
    .optionsGroup('Where it listens:')
    .option('--port <number>', 'port; 0 picks a free one', parsePort, port)
    .option('--host <address>', 'address; 0.0.0.0 accepts requests from other machines', '127.0.0.1')
    .optionsGroup('Where it delivers events to webhooks:')
    .option(
      '--delivery-format <key=value>',
      'how deliveries are sent: signature_header=x-…, signed_text={timestamp}.{body} (repeatable)',
      collectFormat,
    )
    .addOption(allowDeliveryOption())
    .optionsGroup('What agents may do:')
    .option(
      '--max-sent <number>',
      'the maximum number of messages that they send in a story (default: 1000)',
      parseCount,
    )
    .optionsGroup('Tools (MCP):')
    .option(
      '--tools <names>',
      "the agent's tools, by names or patterns; ! leaves tools out: threads_list,!identities_delete",
      parseNames,
    )
}

/** The flags for assumptions. */
export interface AssumptionsFlags {
  readonly assume?: readonly string[]
}

/** Adds the flag for assumptions. It is checked where it is used, since it may name a file. */
export function addAssumptionsFlags(command: Command): Command {
  return command.option(
    '--assume <gap=assumption|profile|file>',
    'the assumption of one gap, or default, worst-case, seed:<n> or a file (repeatable)',
    collectText,
  )
}

/** The flags of a world. */
export interface WorldFlags extends AssumptionsFlags {
  readonly seed?: number
  readonly start?: string
  readonly extend?: readonly string[]
  readonly clock?: ClockMode
}

/** Adds the flags of a world; `clock` is the default, or a description of it. */
export function addWorldFlags(command: Command, clock: ClockMode | { readonly described: string }): Command {
  const modes = 'auto, real, frozen, or a speed such as 10x'
  const [about, usual] =
    typeof clock === 'string' ? [modes, clock] : [`${modes} (${clock.described})`, undefined]
  const simulated = command
    .optionsGroup('What it simulates:')
    .addOption(seedOption())
    .option(
      '--start <instant>',
      'when the story begins: an instant, now, or scenario (as its file says)',
      parseStoryStart,
    )
    .addOption(extendOption())
  return addAssumptionsFlags(simulated).option('--clock <mode>', about, parseClock, usual)
}

/** The flags of a run: how story time passes while the agent acts, how the agent is started, and what it may do. */
export interface RunFlags {
  readonly thinkTime?: number
  readonly agentTime?: 'skip' | 'story'
  readonly ignoreHost?: readonly string[]
  readonly patience?: number
  readonly env?: ClientVariables
  readonly ready?: string
  readonly before?: string
  readonly restart?: true
  readonly jobs?: number
  readonly agentControls: 'all' | 'some' | 'none'
  readonly reporter?: ReportFormat
  readonly verbose?: true
}

/** Adds the flags of a run but those of its output; those of story time are about the clock `auto`. */
export function addRunFlags(command: Command): Command {
  const named = [...placeholders, 'port:8787'].map((name) => `{${name}}`).join(', ')
  return command
    .option(
      '--think-time <duration>',
      'story time that a request to somebody else takes, whatever happens meanwhile (default: none)',
      parseWait,
    )
    .addOption(
      new Option(
        '--agent-time <skip|story>',
        "skip the agent's waits, or also show it the date of the story (default: skip)",
      ).choices(['skip', 'story']),
    )
    .option(
      '--ignore-host <name>',
      'a host, perhaps with a port, requests to which are no work of the agent (repeatable)',
      collectText,
    )
    .addOption(patienceOption())
    .optionsGroup('How it is run:')
    .option(
      '--env <NAME=value>',
      `set a variable for the command; ${named} are replaced, the last by a free port that gets the events for 8787 (repeatable)`,
      collectVariable,
    )
    .option('--ready <url>', 'a play begins when this URL responds, e.g. your webhook receiver', parseUrl)
    .option('--before <command>', 'a command line that a shell runs before each play')
    .option('--restart', 'start the command again when it exits with an error')
    .option(
      '--jobs <number>',
      'plays at a time (default: 1); always one if they would share an address',
      parseJobs,
    )
    .addOption(
      new Option(
        '--agent-controls <what>',
        'what the agent may do with the control API: advance the clock, read its health and its secrets (some)',
      )
        .choices(['all', 'some', 'none'])
        .default('some'),
    )
}

/** Creates the flag for how long an agent must be quiet that nobody observes. */
export function patienceOption(): Option {
  return new Option(
    '--patience <duration>',
    'how long an agent that cannot be observed must be quiet until it counts as done (default: 30s)',
  ).argParser(parseWait)
}

/** Creates the flag for the seed. */
export function seedOption(): Option {
  return new Option('--seed <number>', "override the scenario's seed").argParser(parseSeed)
}

/** Returns the present second, ISO 8601 UTC. */
export function thisSecond(): string {
  return formatInstant(Math.floor(wallTime() / 1000) * 1000)
}

/** Creates the flag for extensions. */
export function extendOption(): Option {
  return new Option(
    '--extend <file|common>',
    'add operations that the interface does not document (repeatable)',
  ).argParser(collectText)
}

/** Creates the flag for machines that may receive events. */
export function allowDeliveryOption(): Option {
  return new Option(
    '--allow-delivery-to <host[:port]>',
    'another machine that may receive events (repeatable); by default, events stay on this one',
  ).argParser(collectText)
}

/** Creates the flag for the format of a report. */
export function reporterOption(formats: readonly ReportFormat[] = reportFormats): Option {
  return new Option('--reporter <name>', 'the format of the report (default: human)').choices(formats)
}

/** Returns the assumptions that flags choose; later ones override earlier ones. */
export function layersOfFlags({ assume = [] }: AssumptionsFlags): AssumptionsLayer[] {
  return assume.map((input) => ({ from: '--assume', input }))
}

/** The flags whose option has another name or another form. */
type RenamedFlags = AssumptionsFlags &
  Partial<Pick<NetworkFlags, 'allowDeliveryTo' | 'tools'>> &
  Pick<WorldFlags, 'start'> &
  Partial<Pick<RunFlags, 'env' | 'ignoreHost'>> & {
    readonly allowHost?: readonly string[]
    readonly controlToken?: string
  }

/** Returns the options that flags choose: those of the same name as they are, and the others. */
export function optionsOf<Flags extends RenamedFlags>({
  start,
  assume = [],
  allowHost: allowHosts,
  allowDeliveryTo: allowDeliveriesTo,
  controlToken,
  tools,
  env: variables,
  ignoreHost: ignoreHosts,
  ...same
}: Flags) {
  return {
    ...same,
    ...{ start: start === 'now' ? thisSecond() : start === 'scenario' ? undefined : start },
    assume: layersOfFlags({ assume }),
    ...{ allowHosts, allowDeliveriesTo, controlToken: controlToken || undefined },
    ...{ mcp: { tools }, variables, ignoreHosts },
  }
}

/**
 * Returns the flags of a command as typed, in order; Commander adds them while it parses the command line.
 */
export function typedFlagsOf(command: Command): readonly TypedFlag[] {
  const typed: TypedFlag[] = []
  for (const option of command.options) {
    command.on(`option:${option.name()}`, (value: string | null | undefined) => {
      typed.push({ name: `--${option.name()}`, value: value ?? undefined })
    })
  }
  return typed
}
