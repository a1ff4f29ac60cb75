import { formatDuration } from '../../base/text.js'
import { changesIn } from '../../doors/controls/log.js'
import type { RunningServer } from '../../doors/server/start-server.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import { parseInstant } from '../../service/time/time.js'
import type { Exchange } from '../../service/world/exchange.js'
import type { ExpectationResult } from '../../story/expectations/kinds.js'
import type { SecretFinder } from '../../story/secrets/secret-finder.js'
import type { JunitSuite } from './junit.js'
import type { Table } from './table.js'

/** A report in the form that all reporters can write; each command converts its results to it. */
export interface Report {
  /** The JSON form of the report. */
  readonly document: object
  readonly passed: boolean
  /** Whether it can neither be praised nor blamed. */
  readonly isUnclear?: boolean
  /** Whether nothing was checked, so that the result has no meaning. */
  readonly isEmpty?: boolean
  /** What could not be judged, each in a sentence: said before the outcome, so that silence does not look like success. */
  readonly silences?: readonly string[]
  /** The outcome in one line. */
  readonly headline: string
  /** What explains the outcome. */
  readonly paragraphs?: readonly string[]
  readonly table?: Table | undefined
  /** What the findings are about, unless that is the whole report. */
  readonly about?: string | undefined
  readonly findings: readonly Finding[]
  /** The last lines of a command's output, below a title. */
  readonly output?: { readonly title: string; readonly text: string } | undefined
  /** A final sentence that people should not miss. */
  readonly conclusion?: string | undefined
  /** Hints that help to understand the outcome. */
  readonly notes: readonly string[]
  /** Figures, one in each line. */
  readonly facts: readonly string[]
  readonly suites: readonly JunitSuite[]
  /** Records the world after the run, for the HTML form; undefined if there is none. */
  readonly recording?: (() => RecordedRun) | undefined
}

/** A statement that was checked. */
export interface Finding {
  /** The subject, e.g. `command`. */
  readonly kind: string
  /** A sentence that says what must be true, or what is wrong. */
  readonly title: string
  readonly passed: boolean
  /** Why it did not pass, in one line; empty if it passed, or if the title says so. */
  readonly why: string
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

/** The text styles of the format `human`. */
export interface Style {
  strong(text: string): string
  faint(text: string): string
  good(text: string): string
  bad(text: string): string
}

/** Leaves text unchanged. */
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

/** The data of a world at the end of a run, without the parts that are added when the report is written. */
export type RecordedRun = ReturnType<typeof recordWorld> & {
  /** The number of the run, if there were several. */
  readonly trial?: number
  /** What was played, if there were several plays: `under refund-to-stranger`. */
  readonly play?: string
}

/** The parts of a report that its page prints, as every other format does. */
export type PrintedParts = Pick<
  Report,
  'passed' | 'paragraphs' | 'table' | 'about' | 'findings' | 'output' | 'notes'
>

/** All data in the HTML form of a report, as JSON inside the page. */
export interface Recording extends RecordedRun, PrintedParts {
  /** The outcome in one line. */
  readonly title: string
  /** The JSON form of the report. */
  readonly report: object
}

/** The maximum number of conversations in a recording; those with the latest activity are kept. */
const conversationLimit = 200

/** Records a world with secrets masked, and the results of its expectations. */
export function recordWorld(simulator: Simulator, results: readonly ExpectationResult[]) {
  const { id, scenario, seed, start, clock, mailbox, timeline, masker } = simulator
  const deliveries = simulator.deliveries.list()
  const { threads } = mailbox.threads({ limit: conversationLimit })
  const recorded = {
    format: 'agent-mailbox-sim/recording' as const,
    version: 1 as const,
    world: {
      ...{ id, scenario, seed, start, now: clock.now(), clock: clock.mode },
      counts: { ...simulator.summary(), deliveries: deliveries.length },
    },
    agents: simulator.identities.list({ everywhere: true }),
    conversations: threads.map((thread) => mailbox.conversation(thread.id)),
    exchanges: [] as Exchange[],
    deliveries,
    subscriptions: simulator.webhooks.list({ everywhere: true }),
    timeline: { played: timeline.played(), left: timeline.left, upcoming: timeline.upcoming() },
    expectations: results,
    gaps: simulator.assumptions.register(),
    reliances: simulator.reliances(),
    faults: simulator.faults.list(),
    changes: changesIn(simulator),
  }
  return { ...masker.content(recorded), exchanges: [...exchangesOf(simulator, masker.secrets)] }
}

/** The most characters of all different bodies in a recording: a page with more of them cannot be written. */
const maxBodies = 67_108_864

const leftOut = '(left out, since the bodies of this run are longer than a report can be)'

/** Yields the exchanges of a journal; equal bodies are the same string, since an agent may poll for hours. */
function* exchangesOf({ journal }: Simulator, finder: SecretFinder): Generator<Exchange> {
  const bodies = new Map<string, string>()
  let left = maxBodies
  const kept = (body: string | null): string | null => {
    if (body === null) return null
    const known = bodies.get(body)
    if (known !== undefined) return known
    if (body.length > left) return leftOut
    left -= body.length
    const masked = finder.masked(body)
    bodies.set(body, masked)
    return masked
  }
  for (const entry of journal.entries()) {
    const { request, response, ...facts } = entry.show()
    const [sent, received] = [kept(request.body), kept(response.body)]
    yield {
      ...finder.maskedIn(facts),
      request: { headers: finder.maskedIn(request.headers), body: sent },
      response: { headers: finder.maskedIn(response.headers), body: received },
    }
  }
}

/** The length from which a body is written only once. */
const minShared = 200

/** A recording in a page: bodies that occur repeatedly are written once, and are numbers where they occur. */
export interface SharedRecording {
  readonly bodies?: readonly string[]
}

/** Returns a recording for a page. */
export function withSharedBodies(run: RecordedRun): object {
  const bodies: string[] = []
  const places = new Map<string, number>()
  const shared = (body: string | null): string | number | null => {
    if (body === null || body.length < minShared) return body
    const place = places.get(body) ?? bodies.push(body) - 1
    places.set(body, place)
    return place
  }
  const exchanges = run.exchanges.map(({ request, response, ...facts }) => ({
    ...facts,
    request: { ...request, body: shared(request.body) },
    response: { ...response, body: shared(response.body) },
  }))
  return { ...run, exchanges, bodies }
}
