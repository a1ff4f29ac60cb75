import type { RunningServer } from '../server/index.js'
import { formatDuration, parseInstant } from '../world/index.js'
import type { JunitSuite } from './junit.js'
import type { RecordedRun } from './recording.js'

/** A report in the form that every reporter can write; each command makes one of what it found. */
export interface Report {
  /** The report as JSON has it. */
  readonly document: object
  readonly passed: boolean
  /** The outcome in a line. */
  readonly headline: string
  /** Sentences that explain the outcome. */
  readonly paragraphs?: readonly string[]
  readonly table?: Table | undefined
  readonly findings: readonly Finding[]
  /** The last lines that a command wrote, below a title. */
  readonly output?: { readonly title: string; readonly text: string } | undefined
  /** The last sentence, which people should not miss. */
  readonly conclusion?: string | undefined
  /** What helps to understand the outcome. */
  readonly notes: readonly string[]
  /** Figures, a line each. */
  readonly facts: readonly string[]
  readonly suite: JunitSuite
  /** Records what the run left, for the HTML form; undefined where there is none. */
  readonly recording?: (() => RecordedRun) | undefined
}

/** A statement that holds, or does not. */
export interface Finding {
  /** What it is about, e.g. `command`. */
  readonly kind: string
  /** What must be true, in a sentence; or what is wrong. */
  readonly title: string
  readonly passed: boolean
  /** Why it did not pass, in a line; empty if it did, or if the title says it. */
  readonly why: string
  /** Labelled lines about a failure; an empty label continues the line before. */
  readonly details: readonly Detail[]
  /** The number of the exchange to look at. */
  readonly exchange?: number | undefined
}

/** A labelled line. */
export type Detail = readonly [label: string, text: string]

/** Results, a row each. */
export interface Table {
  /** Titles of the columns for people; the last column has none. */
  readonly header: readonly string[]
  readonly rows: readonly TableRow[]
}

/** A result. */
export interface TableRow {
  readonly mark: 'passed' | 'failed' | 'unsure' | 'none'
  /** What the result is about, in one cell. */
  readonly name: string
  /** The same in as many cells as there are columns for it; of several lines, the first has the result. */
  readonly lines: readonly (readonly string[])[]
  readonly result: string
  readonly why: string
}

/** Text styles for people. */
export interface Style {
  strong(text: string): string
  faint(text: string): string
  good(text: string): string
  bad(text: string): string
}

/** Leaves text as it is. */
export const plainStyle: Style = {
  strong: (text) => text,
  faint: (text) => text,
  good: (text) => text,
  bad: (text) => text,
}

/** Formats milliseconds as `1.2 s`. */
export function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** Formats the time between two instants of a story, both ISO 8601. */
export function formatSpan(from: string, to: string): string {
  return formatDuration(Math.max(0, (parseInstant(to) ?? 0) - (parseInstant(from) ?? 0)))
}

/** Formats a command as it would be typed into a shell. */
export function formatCommand(command: readonly string[]): string {
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}

/** Hides secrets in the arguments of a command, and what differs from run to run. */
export function hideSecretArguments(command: readonly string[], server: RunningServer): string[] {
  return server.simulator.masker.arguments(command).map((word) => hideRunDetails(word, server, command))
}

/** Hides secrets, those given to a command included, and the port of a server, which differs from run to run. */
export function hideRunDetails(
  text: string,
  { url, simulator }: RunningServer,
  command: readonly string[],
): string {
  const { host, hostname } = new URL(url)
  return simulator.masker
    .forCommand(command, process.env)
    .text(text)
    .replaceAll(url, '$MAILBOX_BASE_URL')
    .replaceAll(host, `${hostname}:<port>`)
}
