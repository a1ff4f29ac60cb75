import { counted, truncate } from '../../base/text.js'
import type { AnsweredRequest } from '../../doors/server/request-listener.js'
import { parseMailbox, sameAddress } from '../../mail/address.js'
import { likelyMeant, nearMiss } from '../../service/requests/undocumented.js'
import { formatInstant, parseInstant } from '../../service/time/time.js'
import type { JournalEntry } from '../../service/world/exchange.js'
import { describeRefusal, hintsOf, inShort, isMistake } from '../../story/expectations/refusals.js'
import type { ExpectationResult } from '../../story/expectations/result.js'
import { describeWorst, hasReached, wasAccepted } from '../../story/expectations/what-arrived.js'
import { describeWait } from '../pace/asked-wait.js'
import type { Play } from '../play.js'
import { formatCommand } from '../reports/command-line.js'
import { formatSpan } from '../reports/report.js'
import { wasPlayed } from '../verdicts.js'
import { askedTooEarly } from './asked-too-early.js'
import { failedEntries, failedExpectations, type ReplayReport } from './outcome.js'
import { staleSignature } from './stale-signature.js'

/** How the first line begins if nothing reached the service and nothing tells why. */
export const noRequest = 'No request reached MAILBOX_BASE_URL'

/** What is asked about an agent that sent no request. */
export const unasked = `${noRequest}; does the agent read it?`

/** The maximum number of characters of a command in a cause. */
const commandLength = 60

/** The maximum number of characters of a cause, and up to which two of them stand in one line. */
const [partLength, joinedLength] = [280, 280]

/** The parts of a report that a cause is found in. */
type Judged = Pick<ReplayReport, 'passed' | 'interrupted' | 'not_judged' | 'waiting' | 'runaway'> &
  Pick<ReplayReport, 'verdicts' | 'timeline'>

/** Returns what explains best why a play did not pass, in a line; null if it passed or was interrupted. */
export function causeOf(played: Play, judged: Judged): string | null {
  if (judged.passed || judged.interrupted) return null
  const { agent, requests, simulator } = played
  if (!wasPlayed(agent)) return whyNotPlayed(played)
  const cause = requests === 0 && agent ? whySilent(played) : reasonsOf(played, judged).join('; ')
  return cause === '' ? null : simulator.masker.known(cause)
}

/** Returns the hints about the requests of a play, and about its dates if something that it expects failed. */
export function hintsOfPlay(played: Play, judged: Pick<Judged, 'verdicts' | 'waiting'>): string[] {
  const { simulator, pace, story } = played
  const { journal, masker } = simulator
  const requests = hintsOf(journal.entries().map((entry) => entry.showWithoutBodies()))
  const hints = [...requests, ...staleSignature(played)]
  const hasFailed = failedExpectations(judged).length > 0
  if (hasFailed && pace?.own_date !== undefined) hints.push(describeDates(pace.own_date, story.start))
  if (pace?.looping !== undefined) hints.push(describeLoop(pace.looping))
  return hints.map((hint) => masker.text(hint))
}

/** Says that a story would never have ended. */
function describeLoop(entry: string): string {
  return `The agent and the timeline entry "${entry}" answered each other so often that the story ended: the agent may cause 1,000 entries of it. See docs/expectations.md#correspondents-who-reply.`
}

/** Says that the agent's calendar is not that of its mail. */
function describeDates(ownDate: string, start: number): string {
  const [own, told] = [ownDate, formatInstant(start)].map((instant) => instant.slice(0, 10))
  return `The agent looks at the date, which was ${own}, while the story began on ${told}. If it compares its date with those of mail, play with --agent-time story. See docs/replay.md#how-time-passes.`
}

function whyNotPlayed({ agent }: Play): string {
  const { command = [], ended, problem } = agent ?? {}
  const why = (problem ?? '').replace(/\.$/, '')
  if (ended === 'not-ready') return `${shownCommand(command)} ${why}`
  return `the command could not be started${why && `: ${why}`}`
}

/** Explains in a sentence why no request of the agent reached the service. */
function whySilent(played: Play): string {
  const { agent, aside, simulator } = played
  const refused = aside.find(({ target }) => !isTools(target)) ?? aside.find(({ status }) => status >= 400)
  if (refused) return ended(`The agent sent no request to the service: ${describeAside(refused)}`)
  const tried = simulator.deliveries.list().filter(({ attempts }) => attempts.length > 0)
  const got = tried.filter(hasReached)
  const ending = describeEnd(played)
  const complaint = agent?.complaint === undefined ? undefined : `its output: ${quoted(agent.complaint)}`
  if (got.length > 0)
    return ended(`The agent sent no request: ${joined(describeWorst(got), ending, complaint)}`)
  if (aside.length > 0) return 'The agent connected to MAILBOX_MCP_URL, but called no tool.'
  const missed = tried.length > 0 ? describeWorst(tried) : whyUndelivered(played)
  if (ending !== undefined && agent?.passed === false) return ended(`${noRequest}: ${joined(ending, missed)}`)
  if (tried.length > 0)
    return ended(`The agent sent no request, and got no delivery: ${joined(missed, ending, complaint)}`)
  const details = joined(ending, complaint, missed)
  // A command is shown as it was written.
  const shown = ending === undefined ? capitalized(details) : details
  return details === '' ? unasked : ended(`${unasked} ${shown}`)
}

/** Says why an agent that listens got no event; undefined if it does not listen. */
function whyUndelivered({ pace, simulator }: Play): string | undefined {
  if (!pace?.listens) return undefined
  const count = simulator.webhooks.list().length
  const why =
    count === 0
      ? 'the story has no webhook'
      : `no event was for the ${counted(count, 'webhook')} of the story`
  return `the agent listens, but got no delivery: ${why}`
}

/** Returns the most likely reason for what failed, with the next one if neither is certain and both fit into a line. */
function reasonsOf(played: Play, judged: Judged): string[] {
  const { simulator, agent } = played
  const entries = simulator.journal.entries()
  const refusal = refusalIn(entries)
  const mistakes = hintsOf(entries.filter(isAccepted).map((entry) => entry.showWithoutBodies()))
  // A misspelt name is more likely a mistake than one that other services have.
  const hint = mistakes.find((text) => text.includes('did you mean')) ?? mistakes[0]
  const expected = mostTelling(failedExpectations(judged))
  const leak = failedExpectations(judged).find(({ kind, nearest }) => kind === 'leak' && nearest)
  const [entry] = failedEntries(judged)
  // A request that nearly was what is expected says more than hints do.
  const isClose = typeof expected?.nearest?.exchange === 'number'
  const refusedAside = played.aside.find(({ target, status }) => status >= 400 && !isTools(target))
  const told = hint ?? (expected && askedTooEarly(entries))
  const hints = told === undefined ? [] : [told]
  const end = agent === null || agent.passed ? missedAtEnd(played, entries) : describeEnd(played)
  const undelivered = simulator.deliveries
    .list()
    .filter((one) => one.attempts.length > 0 && !wasAccepted(one))
  const refusedEvents = undelivered.filter(hasReached)
  const arrived = [
    ...(refusal && !refusal.isWeak ? [refusal.text] : []),
    ...(refusedAside ? [describeAside(refusedAside)] : []),
    ...(refusedEvents.length > 0 ? [describeWorst(refusedEvents)] : []),
  ]
  // What failed is a consequence of these, and the report lists it below.
  const certain = [
    // A secret in a request that was refused has leaked all the same.
    ...(leak ? [describeFailed(leak, played)] : []),
    ...(judged.runaway === null ? [] : [judged.runaway]),
    ...(judged.waiting ? [`the agent was ${describeWait(judged.waiting)}`] : []),
    ...arrived,
    ...(agent?.passed === false && end !== undefined ? [end] : []),
  ]
  const reasons = [
    ...certain,
    ...(isClose ? [] : hints),
    ...(expected ? [describeFailed(expected, played)] : []),
    ...(agent?.passed !== false && end !== undefined ? [end] : []),
    ...(isClose ? hints : []),
    ...(refusal?.isWeak ? [refusal.text] : []),
    ...(entry ? [`the story could not be played as written: ${entry.name}: ${entry.problem}`] : []),
  ]
  // An agent that polls need not listen.
  if (reasons.length === 0 && undelivered.length > 0) reasons.push(describeWorst(undelivered))
  const [first, next] = reasons.map((text) => truncate(inShort(text), partLength))
  if (first === undefined) return []
  const isAlone = certain.length > 0 || next === undefined || first.length + next.length > joinedLength
  return isAlone ? [first] : [first, next]
}

/** A refused request that may explain a failure. */
interface Refusal {
  readonly text: string
  /** Whether a later request for the same succeeded. */
  readonly isWeak: boolean
}

/** Returns the refused request that most likely matters: one that was never accepted, a write before a read, the most frequent. */
function refusalIn(entries: readonly JournalEntry[]): Refusal | undefined {
  interface Kind {
    readonly first: JournalEntry
    count: number
    isWeak: boolean
    readonly isWrite: boolean
  }
  const kinds = new Map<string, Kind>()
  const placeOf = ({ recorded: { method, path, operation, requestBody, via } }: JournalEntry): string => {
    // Calls of tools that do not exist have no operation.
    return `${method} ${operation ?? ''} ${path}${via === 'mcp' && operation === null ? requestBody : ''}`
  }
  for (const entry of entries) {
    const place = placeOf(entry)
    const { method, status, operation } = entry.recorded
    if (isAccepted(entry)) {
      for (const [key, kind] of kinds) if (key.startsWith(`${place} `)) kind.isWeak = true
      continue
    }
    if (!isMistake(entry.recorded)) continue
    const key = `${place} ${status}`
    const isWrite = method !== 'GET' && method !== 'HEAD'
    const kind = kinds.get(key) ?? { first: entry, count: 0, isWeak: false, isWrite }
    kind.count++
    kinds.set(operation === null && kinds.size > 100 ? 'others' : key, kind)
  }
  const weight = ({ isWeak, isWrite, count }: Kind): number => {
    return (isWeak ? 0 : 1e9) + (isWrite ? 1e6 : 0) + Math.min(count, 1e5)
  }
  const [first] = [...kinds.values()].sort((one, other) => weight(other) - weight(one))
  if (!first) return undefined
  const times = first.count === 1 ? '' : ` (${first.count} times)`
  return { text: `${describeRefusal(first.first)}${times}`, isWeak: first.isWeak }
}

function isAccepted({ recorded: { status } }: JournalEntry): boolean {
  return status >= 200 && status <= 399
}

/** Describes a request that reached the server, but not the service. */
function describeAside({ method, target, status }: AnsweredRequest): string {
  const [path = ''] = target.split('?', 1)
  const shown = `${method} ${truncate(path, 80)} got ${status}`
  if (path.startsWith('/_sim/')) {
    const isService = path.includes('/api/v1/')
    return `${shown}${isService ? ': MAILBOX_SIM_URL is the control API; the service is at MAILBOX_BASE_URL' : ''}`
  }
  const meant = nearMiss(method, path) ?? likelyMeant(method, path)
  const why = meant?.replace(/^\S+ \S+?: /, '') ?? 'the service is below /api/v1'
  return `${shown}: ${inShort(why)}`
}

function isTools(target: string): boolean {
  return /^\/mcp(\/|\?|$)/.test(target)
}

/** Describes how an agent ended that ended by itself; undefined if it ran to the end of the story. */
function describeEnd({ agent }: Play): string | undefined {
  if (!agent || agent.ended === 'story-over' || agent.command.length === 0) return undefined
  const { why, problem, command } = agent
  const how = problem ?? 'exited with status 0'
  return `${shownCommand(command)} ${how}${why === null || why === problem ? '' : `: ${why}`}`
}

/** Says that things happened after the last that an agent did: it had ended, or did nothing more; undefined if none did. */
function missedAtEnd({ agent, simulator }: Play, entries: readonly JournalEntry[]): string | undefined {
  const last = entries.at(-1)
  if (!agent || !last || (agent.ended !== 'by-itself' && agent.ended !== 'story-over')) return undefined
  const later = (at: string): boolean => (parseInstant(at) ?? 0) > last.recorded.at
  const missed = simulator.timeline.played().filter(({ at }) => later(at))
  if (missed.length === 0) return undefined
  const when = `its last request was ${formatSpan(simulator.start, last.showWithoutBodies().at)} into it`
  const left = `${counted(missed.length, 'entry', 'entries')} came later`
  if (agent.ended === 'by-itself')
    return `${shownCommand(agent.command)} ended before the story did: ${when}, and ${left}`
  const accepted = simulator.deliveries.list().filter(wasAccepted)
  if (accepted.some(({ attempts }) => attempts.some(({ at }) => later(at)))) return undefined
  return `the agent still waited when the story ended: ${when}, and ${left}`
}

/**
 * Returns the failure that tells most: a rule that was broken names the mistake of which other failures are consequences, but
 * that somebody got no answer is one itself.
 */
function mostTelling(failed: readonly ExpectationResult[]): ExpectationResult | undefined {
  return failed.find(({ kind, nearest }) => kind === 'invariant' && nearest?.exchange != null) ?? failed[0]
}

/** Describes a failed expectation: what must be true, what was found, and what came closest. */
function describeFailed({ describe, kind, found, nearest }: ExpectationResult, { simulator }: Play): string {
  const what = kind === 'invariant' && nearest ? found : describe.replace(/\.$/, '')
  // The lines of all that match are in the report.
  const different = nearest?.differences
    .filter((line) => !/^\d+\. |^and \d+ more$/.test(line))
    .slice(0, 2)
    .join(', ')
  const missing = kind === 'sent' ? unwrittenTo(nearest?.differences ?? [], simulator) : undefined
  const crossed = missing && crossedAnswer(missing, simulator)
  if (crossed) return `${truncate(what, 100)}: ${crossed}`
  if (nearest && missing)
    return `${truncate(what, 100)}: nothing was sent to ${missing}, only ${nearest.line}`
  if (nearest) return `${truncate(what, 100)}: ${nearest.line}${different ? `: ${different}` : ''}`
  const entries = simulator.journal.entries()
  const last = entries.at(-1)?.showWithoutBodies()
  const after =
    kind === 'sent' && last
      ? `, after ${counted(entries.length, 'request')}, the last ${last.method} ${truncate(last.path, 60)} ${last.status}`
      : ''
  return `${truncate(what, 120)}: ${found}${after}`
}

/** Returns the address in a difference to which an agent sent nothing at all, so that what it sent to others says little. */
function unwrittenTo(differences: readonly string[], simulator: Play['simulator']): string | undefined {
  const [, address] =
    /^to: expected "([^"*]+@[^"*]+)", found/.exec(differences.find((one) => one.startsWith('to: ')) ?? '') ??
    []
  const recipients = simulator.sent().flatMap(({ to, cc, bcc }) => [to, cc ?? [], bcc ?? []].flat())
  return recipients.some((one) => sameAddress(one, address ?? '')) ? undefined : address
}

/** Says to whom an answer to the mail of somebody went instead; undefined if there is none. */
function crossedAnswer(asked: string, simulator: Play['simulator']): string | undefined {
  const crossed = simulator.sent().find(({ thread_id, in_reply_to }) => {
    const { messages } = simulator.mailbox.conversation(thread_id)
    const answered = messages.find(({ id }) => id === in_reply_to)
    return answered && sameAddress(parseMailbox(answered.from)?.address ?? '', asked)
  })
  return crossed && `the answer to ${asked} went to ${crossed.to.join(', ')} (request ${crossed.exchange})`
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('; ')
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Returns a text as a sentence. */
function ended(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

function shownCommand(command: readonly string[]): string {
  return truncate(formatCommand(command), commandLength)
}

function quoted(text: string): string {
  return JSON.stringify(truncate(text, 160))
}
