import { formatDuration } from '../../base/text.js'
import type { RunningServer } from '../../doors/server/start-server.js'
import { parseInstant } from '../../service/time/time.js'

/** The formats of reports: `html` is a page that shows the recorded run, `github` are annotations of a workflow. */
export const reportFormats = ['human', 'json', 'junit', 'markdown', 'html', 'github'] as const

/** A format of reports. */
export type ReportFormat = (typeof reportFormats)[number]

/** A report in the form that all printers write; each command converts its results to it. */
export interface Report {
  /** The JSON form of the report. */
  readonly document: object
  /** The story, or what else was judged. */
  readonly name: string
  readonly passed: boolean
  /** Whether it can neither be praised nor blamed. */
  readonly isUnclear?: boolean
  /** Whether nothing was checked, so that the result has no meaning. */
  readonly isEmpty?: boolean
  /** The outcome in one line. */
  readonly headline: string
  /** What explains the outcome, and what could not be judged. */
  readonly paragraphs: readonly string[]
  readonly table?: Table | undefined
  /** What the findings are about, if that is one of several plays: then the table has the results. */
  readonly about?: string | undefined
  readonly findings: readonly Finding[]
  /** The last lines of a command's output, below a title. */
  readonly output?: { readonly title: string; readonly text: string } | undefined
  /** Hints that help to understand the outcome. */
  readonly notes: readonly string[]
  /** Figures, one in each line. */
  readonly facts: readonly string[]
  /** Wall time in milliseconds. */
  readonly wallMs: number
  /** Records the world after the run, for the HTML form; undefined if there is none. */
  readonly recording?: (() => object) | undefined
}

/** A table of results. */
export interface Table {
  /** What it shows. */
  readonly title: string
  /** What a row is about. */
  readonly subject: string
  /** The titles of the results. */
  readonly columns: readonly string[]
  readonly rows: readonly TableRow[]
}

/** What a row is about, and its results. */
export interface TableRow {
  readonly name: string
  readonly cells: readonly TableCell[]
  /** Whether text for people leaves it out unless everything is wanted. */
  readonly isMinor?: boolean
}

/** A result; without a tone, it is a remark. */
export interface TableCell {
  readonly text: string
  readonly tone?: 'passed' | 'failed' | 'unsure' | 'none'
}

/** A statement that was checked. */
export interface Finding {
  /** The subject, e.g. `command`. */
  readonly kind: string
  /** A sentence that says what must be true, or what is wrong. */
  readonly title: string
  /** How a test case of it is called, whether it passes or not; the title by default. */
  readonly name?: string
  readonly passed: boolean
  /** Labelled lines about a failure; an empty label continues the previous line. */
  readonly details: readonly Detail[]
  /** The `seq` of the exchange to look at. */
  readonly exchange?: number | undefined
  /** The index of the expectation that it is about, and the place of that in the scenario. */
  readonly expectation?: number
  readonly place?: { readonly file: string; readonly line: number } | undefined
  /** The gaps that it is about. */
  readonly gaps?: readonly string[]
}

/** A labelled line. */
export type Detail = readonly [label: string, text: string]

/** Returns the details of a finding as aligned lines. */
export function detailLines(details: readonly Detail[]): string[] {
  const width = Math.max(...details.map(([label]) => label.length))
  return details.map(([label, text]) => `${label.padEnd(width)}  ${text}`)
}

/** Returns names of which no two are equal: `Ann is answered. (2)` for the second of its name. */
export function numbered(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

/** The text styles of the format `human`. */
export type Style = Readonly<Record<'strong' | 'faint' | 'good' | 'bad', (text: string) => string>>

/** Leaves text unchanged. */
export const plainStyle: Style = { strong: String, faint: String, good: String, bad: String }

/** Formats milliseconds as `1.2 s`. */
export function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** Formats the time between two instants of a story, both ISO 8601. */
export function formatSpan(from: string, to: string): string {
  return formatDuration(Math.max(0, (parseInstant(to) ?? 0) - (parseInstant(from) ?? 0)))
}

/** Hides secrets in the arguments of a command, and details that differ from run to run. */
export function hideSecretArguments(command: readonly string[], server: RunningServer): string[] {
  return server.simulator.masker.arguments(command).map((word) => hideRunDetails(word, server, command))
}

/** Hides secrets, including those passed to a command, and the port of the server, which differs from run to run. */
export function hideRunDetails(text: string, server: RunningServer, command: readonly string[]): string {
  const { url, controlToken, agentAccess, simulator } = server
  const { host, hostname } = new URL(url)
  return simulator.masker
    .forCommand(command, { ...process.env, MAILBOX_SIM_TOKEN: agentAccess?.token ?? controlToken })
    .text(text)
    .replaceAll(url, '$MAILBOX_BASE_URL')
    .replaceAll(host, `${hostname}:<port>`)
}
