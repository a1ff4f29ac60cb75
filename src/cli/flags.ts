import { type Command, InvalidArgumentError, Option } from 'commander'
import { invocation } from '../base/package.js'
import { expectedOneOf, listOf } from '../base/text.js'
import type { ServerOptions } from '../doors/server/start-server.js'
import { type ClientVariables, placeholders, portPlaceholder } from '../runs/agent/client-environment.js'
import { type ReportFormat, reportFormats } from '../runs/reports/report.js'
import type { AssumptionsLayer } from '../service/assumptions/assumptions.js'
import {
  type ClockMode,
  formatInstant,
  parseClockMode,
  parseDuration,
  parseInstant,
} from '../service/time/time.js'
import { maxTimerDelay, wallTime } from '../service/time/wall-time.js'
import type { DeliveryFormat } from '../service/webhooks/delivery-format.js'

/** Returns what help shows below the flags: command lines, without the program's name. */
export function examplesOf(...lines: readonly string[]): string {
  return `\nExample${lines.length === 1 ? '' : 's'}:\n${lines.map((line) => `  ${invocation} ${line}`).join('\n')}`
}

/** Separates the program's own arguments, without flags, from the command to run, which follows `--`; empty if there is none. */
export function splitCommandLine(command: Command) {
  let root: Command & { rawArgs?: readonly string[] } = command
  while (root.parent) root = root.parent
  const { rawArgs = [] } = root
  const dashes = rawArgs.indexOf('--')
  const words = dashes < 0 ? [] : rawArgs.slice(dashes + 1)
  return { own: command.args.slice(0, command.args.length - words.length), command: words }
}

/** Returns whether a flag of a command was typed: not its default, nor from the environment. */
export function isTyped(command: Command, name: string): boolean {
  const option = command.options.find((one) => one.name() === name)
  return option !== undefined && command.getOptionValueSource(option.attributeName()) === 'cli'
}

/** Returns how a command is called: with a placeholder for each part. */
export function usageOf(command: Command): string {
  return `${invocation} ${command.name()} ${command.usage()}`
}

/** Refuses an argument of the command that runs when none is named, since it was meant to name another one. */
export function refuseArguments(command: Command): void {
  const [argument] = command.args
  const { parent } = command
  if (argument === undefined || !parent) return
  const names = parent.commands.map((other) => other.name())
  command.error(`error: ${parent.name()} has no command "${argument}"${expectedOneOf(argument, names, '.')}`)
}

/** Adds the flags of a server. */
export function addNetworkFlags(command: Command, port: number): Command {
  return command
    .optionsGroup('Where it listens:')
    .option(
      '--port <number>',
      'port; 0 picks a free one',
      numberWithin(0, 65_535, 'A port is a number from 0 (a free one) to 65535.'),
      port,
    )
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

/** Adds the flag for assumptions. It is checked where it is used, since it may name a file. */
export function addAssumptionsFlags(command: Command): Command {
  return command.option(
    '--assume <gap=assumption|profile|file>',
    'the assumption of one gap, or default, worst-case, seed:<n> or a file (repeatable)',
    collectLayer,
  )
}

/** Adds the flags of a world, with the default of `--clock`, or a note on it. */
export function addWorldFlags(command: Command, clock: ClockMode | undefined, note = ''): Command {
  const simulated = command
    .optionsGroup('What it simulates:')
    .addOption(seedOption())
    .option(
      '--start <instant>',
      'when the story begins: an instant, now, or scenario (as its file says)',
      parseStoryStart,
    )
    .addOption(extendOption())
  const about = `auto, real, frozen, or a speed such as 10x${note}`
  return addAssumptionsFlags(simulated).option('--clock <mode>', about, parseClock, clock)
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
      numberWithin(1, 999, 'The number of plays at a time is from 1 to 999.'),
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
  return new Option('--seed <number>', "override the scenario's seed").argParser(
    numberWithin(0, Number.MAX_SAFE_INTEGER, 'A seed is a whole number, 0 or more.'),
  )
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

/** The flags whose option has another name. */
interface RenamedFlags {
  readonly allowHost?: readonly string[]
  readonly allowDeliveryTo?: readonly string[]
  readonly tools?: readonly string[]
  readonly env?: ClientVariables
  readonly ignoreHost?: readonly string[]
}

/** The flags that set some options: each has the name and the type of its option, except for the renamed ones. */
export type FlagsFor<Options> = Options & RenamedFlags

/** Returns the options that flags choose: those of the same name as they are, and the others. */
export function optionsOf<Flags extends FlagsFor<Pick<ServerOptions, 'start' | 'controlToken'>>>({
  start,
  controlToken,
  allowHost: allowHosts,
  allowDeliveryTo: allowDeliveriesTo,
  tools,
  env: variables,
  ignoreHost: ignoreHosts,
  ...same
}: Flags) {
  return {
    ...same,
    ...{ start: start === 'now' ? thisSecond() : start === 'scenario' ? undefined : start },
    // An empty variable of the environment sets none.
    ...{ controlToken: controlToken || undefined },
    ...{ allowHosts, allowDeliveriesTo, mcp: { tools }, variables, ignoreHosts },
  }
}

/** Parses when a story begins. @throws InvalidArgumentError */
function parseStoryStart(text: string): string {
  const instant = parseInstant(text)
  if (instant !== undefined) return formatInstant(instant)
  if (text === 'now' || text === 'scenario') return text
  throw new InvalidArgumentError('It must be now, scenario, or an instant such as 2026-01-05T09:00:00Z.')
}

/** Parses a URL. @throws InvalidArgumentError */
function parseUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text
  throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:8787/.')
}

/** Adds a variable to the earlier ones. @throws InvalidArgumentError */
function collectVariable(text: string, before: ClientVariables = {}): ClientVariables {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? []
  const known = [...placeholders.map((name) => `{${name}}`), '{port:8787}']
  const wrong = value
    ?.replace(portPlaceholder, '')
    .match(/\{\w+(:\w*)?\}/g)
    ?.find((found) => !known.includes(found))
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be NAME=value, e.g. MAIL_URL={base_url}.')
  }
  if (wrong) throw new InvalidArgumentError(`There is no placeholder ${wrong}; use ${listOf(known)}.`)
  const [written, port] = [...value.matchAll(portPlaceholder)].find(([, one]) => !isPort(Number(one))) ?? []
  if (written) {
    throw new InvalidArgumentError(`${written}: there is no port ${port}; a port is from 1 to 65535.`)
  }
  return { ...before, [name]: value }
}

function isPort(number: number): boolean {
  return number >= 1 && number <= 65_535
}

/** Adds the names in a list with commas to the earlier ones. */
function parseNames(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(/[\s,]+/).filter((name) => name !== '')]
}

/** Returns a parser for numbers from `minimum` to `maximum`; `problem` explains what is valid. */
export function numberWithin(
  minimum: number,
  maximum: number,
  problem: string,
  parse: (text: string) => number | undefined = wholeNumber,
): (text: string) => number {
  return (text) => {
    const number = parse(text)
    if (number !== undefined && number >= minimum && number <= maximum) return number
    throw new InvalidArgumentError(problem)
  }
}

function wholeNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** Parses a duration as milliseconds, at most the longest timer. @throws InvalidArgumentError */
export const parseWait = numberWithin(
  0,
  maxTimerDelay,
  'It must be a duration such as 30s, 5m or 1h, at most 24 days.',
  parseDuration,
)

/** Parses a whole number. @throws InvalidArgumentError */
export const parseCount = numberWithin(0, Number.MAX_SAFE_INTEGER, 'It must be a whole number, 0 or more.')

/** Adds a value of a repeatable flag to the earlier ones. */
export function collectText(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** Adds assumptions, which override those of the earlier flags. */
function collectLayer(input: string, before: readonly AssumptionsLayer[] = []): AssumptionsLayer[] {
  return [...before, { from: '--assume', input }]
}

/** Adds a key to a delivery format, which is validated once all keys are known. */
function collectFormat(text: string, before: DeliveryFormat = {}): DeliveryFormat {
  const [key = '', ...value] = text.split('=')
  if (value.length > 0) return { ...before, [key]: value.join('=') }
  throw new InvalidArgumentError('It must be key=value, e.g. signature_header=x-signature.')
}

/** Parses how time passes. @throws InvalidArgumentError */
function parseClock(text: string): ClockMode {
  try {
    return parseClockMode(text)
  } catch (error) {
    // So that Commander names the flag.
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** Creates a flag for a control token. Others can read the arguments of a process, but not its environment. */
export function tokenOption(name: string, description: string): Option {
  return new Option(`${name} <token>`, description).env('MAILBOX_SIM_TOKEN').argParser((text) => {
    // An empty variable of the environment counts as an unset one.
    return text === '' && process.env['MAILBOX_SIM_TOKEN'] === '' ? undefined : parseToken(text)
  })
}

/** Parses a bearer token. @throws InvalidArgumentError */
export function parseToken(text: string): string {
  if (/^[!-~]+$/.test(text)) return text
  throw new InvalidArgumentError('A token has at least one character, only ASCII and no spaces.')
}
