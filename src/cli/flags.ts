import type { Command } from 'commander'
import { invocation } from '../base/package.js'
import { type ClientVariables, placeholders } from '../runs/agent/client-environment.js'
import type { TypedFlag } from '../runs/reports/command-line.js'
import { reportFormats } from '../runs/reports/report.js'
import type { AssumptionsLayer } from '../service/assumptions/assumptions.js'
import { type ClockMode, formatInstant } from '../service/time/time.js'
import { wallTime } from '../service/time/wall-time.js'
import { always, choiceFlag, type FlagCommand, type FlagsOf, parsedFlag } from './flag-command.js'
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
  parseToken,
  parseWait,
} from './flag-values.js'

/** The flags that choose assumptions. */
export type AssumptionsFlags = FlagsOf<typeof addAssumptionsFlags<object>>

/** Returns what help shows below the flags: command lines, without the program's name. */
export function examplesOf(...lines: readonly string[]): string {
  return `\nExample${lines.length === 1 ? '' : 's'}:\n${lines.map((line) => `  ${invocation} ${line}`).join('\n')}`
}

/**
 * Adds the flags for a server's address and its deliveries, and for the number of messages that agents may
 * send.
 */
export function addNetworkFlags<Flags extends object>(command: FlagCommand<Flags>, port: number) {
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

/** Adds the flags for whose requests a server accepts that other programs may use. */
export function addAccessFlags<Flags extends object>(command: FlagCommand<Flags>) {
  const token = parsedFlag(
    '--control-token <token>',
    'the bearer token that requests to /_sim must carry',
    // An empty variable counts as an unset one.
    (text) => (text === '' && process.env['MAILBOX_SIM_TOKEN'] === '' ? undefined : parseToken(text)),
  )
  return (
    command
      .optionsGroup('Where it listens:')
      .option(
        '--allow-host <name>',
        'another host name that requests may use, .name for all below it (repeatable)',
        collectText,
      )
      // Others can read the arguments of a process, but not its environment.
      .addOption(token.env('MAILBOX_SIM_TOKEN'))
  )
}

/** Adds the flags of a world; `clock` is the default, or a description of it. */
export function addWorldFlags<Flags extends object>(
  command: FlagCommand<Flags>,
  clock: ClockMode | { readonly described: string },
) {
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

/** Creates the flag for what a judged agent may do with the control API. */
export function agentControlsOption() {
  const about =
    'what the agent may do with the control API: advance the clock, read its health and its secrets (some)'
  return always(choiceFlag('--agent-controls <what>', about, ['all', 'some', 'none']), 'some')
}

/** Adds the flags for how story time passes while an agent acts; they are about the clock `auto`. */
export function addPaceFlags<Flags extends object>(command: FlagCommand<Flags>) {
  return command
    .option(
      '--think-time <duration>',
      'story time that a request to somebody else takes, whatever happens meanwhile (default: none)',
      parseWait,
    )
    .addOption(
      choiceFlag(
        '--agent-time <skip|story>',
        "skip the agent's waits, or also show it the date of the story (default: skip)",
        ['skip', 'story'],
      ),
    )
    .option(
      '--ignore-host <name>',
      'a host, perhaps with a port, requests to which are no work of the agent (repeatable)',
      collectText,
    )
    .addOption(patienceOption())
}

/** Creates the flag for how long an agent must be quiet that nobody observes. */
export function patienceOption() {
  const what =
    'how long an agent that cannot be observed must be quiet until it counts as done (default: 30s)'
  return parsedFlag('--patience <duration>', what, parseWait)
}

/** Adds the flags for assumptions. `--assume` is checked where it is used, since it may name a file. */
export function addAssumptionsFlags<Flags extends object>(command: FlagCommand<Flags>) {
  return command.option(
    '--assume <gap=assumption|profile|file>',
    'the assumption of one gap, or default, worst-case, seed:<n> or a file (repeatable)',
    collectText,
  )
}

/** Creates the flag for the seed. */
export function seedOption() {
  return parsedFlag('--seed <number>', "override the scenario's seed", parseSeed)
}

/** Returns the present second, ISO 8601 UTC. */
export function thisSecond(): string {
  return formatInstant(Math.floor(wallTime() / 1000) * 1000)
}

/** Creates the flag for extensions. */
export function extendOption() {
  const about = 'add operations that the interface does not document (repeatable)'
  return parsedFlag('--extend <file|common>', about, collectText)
}

/** Creates the flag for machines that may receive events. */
export function allowDeliveryOption() {
  const about = 'another machine that may receive events (repeatable); by default, events stay on this one'
  return parsedFlag('--allow-delivery-to <host[:port]>', about, collectText)
}

/** Creates the flag for additional environment variables of the command. */
export function variableOption() {
  const named = [...placeholders, 'port:8787'].map((name) => `{${name}}`).join(', ')
  const about = `set a variable for the command; ${named} are replaced, the last by a free port that gets the events for 8787 (repeatable)`
  return parsedFlag('--env <NAME=value>', about, collectVariable)
}

/** Creates the flag for the number of plays at a time; `usual` is the default in words. */
export function jobsOption(usual: string) {
  const about = `plays at a time (default: ${usual}); always one if they would share an address`
  return parsedFlag('--jobs <number>', about, parseJobs)
}

/** Creates the flag for the format of a report that records a run, so that it has an HTML page. */
export function reporterOption() {
  return choiceFlag('--reporter <name>', 'the format of the report (default: human)', reportFormats)
}

/** Flags that may be undefined. */
type MayBe<Flags> = { readonly [Name in keyof Flags]: Flags[Name] | undefined }

/** Returns the assumptions that flags choose; later ones override earlier ones. */
export function layersOfFlags({ assume = [] }: MayBe<AssumptionsFlags>): AssumptionsLayer[] {
  return assume.map((input) => ({ from: '--assume', input }))
}

/** The flags whose option has another name or another form. */
type RenamedFlags = AssumptionsFlags &
  Partial<
    Pick<FlagsOf<typeof addNetworkFlags<object>>, 'allowDeliveryTo' | 'tools'> &
      FlagsOf<typeof addAccessFlags<object>>
  > & { readonly start?: string; readonly env?: ClientVariables; readonly ignoreHost?: readonly string[] }

/** Returns the options that flags choose: those of the same name as they are, and the others. */
export function optionsOf<Flags extends RenamedFlags>({
  start,
  assume,
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
