import { counted, truncate } from '../../base/text.js'
import type { AnsweredRequest } from '../../doors/server/request-listener.js'
import { likelyMeant, nearMiss } from '../../service/requests/undocumented.js'
import { formatInstant } from '../../service/time/time.js'
import type { JournalEntry } from '../../service/world/exchange.js'
import {
  describeRefusal,
  describeWorst,
  hasReached,
  hintsOf,
  inShort,
  isMistake,
  wasAccepted,
} from '../../story/expectations/exchanges.js'
import type { Play } from '../play.js'
import { wasPlayed } from '../verdicts.js'
import { describeFailed, failedEntries, failedExpectations, type ReplayReport } from './outcome.js'

/** The maximum number of characters of a cause. */
const causeLength = 280

/** The parts of a report that a cause is found in. */
type Judged = Pick<ReplayReport, 'passed' | 'interrupted' | 'not_judged' | 'runaway'> &
  Pick<ReplayReport, 'verdicts' | 'timeline'>

/**
 * Returns what is known of why a play did not pass, in a line: a leak, a refused request, how the command ended; or else the
 * first expectation that failed. Null if it passed or was interrupted.
 */
export function causeOf(played: Play, judged: Judged): string | null {
  if (judged.passed || judged.interrupted) return null
  const causes = wasPlayed(played.agent) ? causesIn(played, judged) : [whyNotPlayed(played)]
  const [failed] = failedExpectations(judged)
  if (causes.length === 0 && failed) causes.push(describeFailed(failed))
  const [first, ...others] = causes.map((cause) => truncate(inShort(cause), causeLength))
  return first === undefined ? null : played.simulator.masker.known([first, ...others].join('; '))
}

/** Returns the hints about the requests of a play, and about its dates if something that it expects failed. */
export function hintsOfPlay(played: Play, judged: Pick<Judged, 'verdicts'>): string[] {
  const { simulator, pace, story } = played
  const { journal, masker } = simulator
  const hints = hintsOf(journal.entries().map((entry) => entry.showWithoutBodies()))
  if (failedExpectations(judged).length > 0 && pace?.own_date !== undefined) {
    const told = formatInstant(story.start).slice(0, 10)
    hints.push(
      `The story began on ${told}, and for the agent on ${pace.own_date}. If it compares its date with those of mail or of signatures, play with --agent-time story. See docs/replay.md#how-time-passes.`,
    )
  }
  return hints.map((hint) => masker.text(hint))
}

function whyNotPlayed({ agent }: Play): string {
  const { ended, problem } = agent ?? {}
  const why = (problem ?? '').replace(/\.$/, '')
  if (ended === 'not-ready') return `the command ${why}`
  return `the command could not be started${why && `: ${why}`}`
}

/** Returns what is known for certain, the most telling first: of an agent that sent no request, what else became of it. */
function causesIn(played: Play, judged: Judged): string[] {
  const { simulator, aside, agent, pace, requests } = played
  const leak = failedExpectations(judged).find(({ kind, nearest }) => kind === 'leak' && nearest)
  // A secret in a request that was refused has leaked all the same.
  if (leak) return [describeFailed(leak)]
  const isSilent = agent !== null && requests === 0
  const hasFailed = agent?.passed === false
  const refused = aside.find(isRefused)
  const deliveries = simulator.deliveries.list().filter((one) => {
    return isSilent ? one.attempts.length > 0 : hasReached(one) && !wasAccepted(one)
  })
  const hasWebhook = simulator.webhooks.list().length > 0
  const [entry] = failedEntries(judged)
  const known = [
    judged.runaway,
    // A program that fails may not have come to its first request.
    isSilent && hasFailed && endOf(agent),
    isSilent && 'no request reached MAILBOX_BASE_URL',
    refusalIn(simulator.journal.entries()),
    refused && describeAside(refused),
    deliveries.length > 0 && describeWorst(deliveries),
    isSilent && pace.listens && !hasWebhook && 'the agent listens, but the story has no webhook',
    agent && isSilent !== hasFailed && endOf(agent),
    isSilent && !hasFailed && agent.complaint !== undefined && `its output: ${quoted(agent.complaint)}`,
    entry && `the story could not be played as written: ${entry.name}: ${entry.problem}`,
  ]
  return known.filter((cause) => typeof cause === 'string')
}

/** Describes the refused request that most likely matters: one that was never accepted, and a write before a read. */
function refusalIn(entries: readonly JournalEntry[]): string | undefined {
  const placeOf = ({ recorded: { method, path, operation, requestBody, via } }: JournalEntry): string => {
    // Calls of tools that do not exist have no operation.
    return `${method} ${operation ?? ''} ${path}${via === 'mcp' && operation === null ? requestBody : ''}`
  }
  const last = new Map(entries.map((entry) => [placeOf(entry), entry]))
  const refused = entries.filter((entry) => {
    return isMistake(entry.recorded) && (last.get(placeOf(entry))?.recorded.status ?? 0) >= 400
  })
  const isWrite = ({ recorded: { method } }: JournalEntry) => method !== 'GET' && method !== 'HEAD'
  const first = refused.find(isWrite) ?? refused[0]
  if (!first) return undefined
  const same = refused.filter((one) => placeOf(one) === placeOf(first)).length
  return `${inShort(describeRefusal(first))}${same === 1 ? '' : ` (${counted(same, 'time')})`}`
}

/** Returns whether a request that the service did not get was refused; connections to the tools come and go. */
function isRefused({ target, status }: AnsweredRequest): boolean {
  return status >= 400 && !/^\/mcp(\/|\?|$)/.test(target)
}

/** Describes a request that reached the server, but not the service. */
function describeAside({ method, target, status }: AnsweredRequest): string {
  const [path = ''] = target.split('?', 1)
  const meant = path.startsWith('/_sim/')
    ? 'MAILBOX_SIM_URL is the control API; the service is at MAILBOX_BASE_URL'
    : (nearMiss(method, path) ?? likelyMeant(method, path) ?? 'the service is below /api/v1')
  return `${method} ${truncate(path, 80)} got ${status}: ${meant.replace(/^\S+ \S+?: /, '')}`
}

/** Describes how an agent ended that ended by itself; undefined if it ran to the end of the story. */
function endOf({ ended, command, complaint, problem }: NonNullable<Play['agent']>): string | undefined {
  if (ended === 'story-over' || command.length === 0) return undefined
  const how = problem ?? 'exited with status 0'
  return `the command ${how}${problem === null || complaint === undefined ? '' : `: ${complaint}`}`
}

function quoted(text: string): string {
  return JSON.stringify(truncate(text, 160))
}
