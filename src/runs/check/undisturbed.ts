import { describeWorst, hasReached } from '../../story/expectations/exchanges.js'
import { RunError } from '../errors.js'
import type { DisturbedStory, Undisturbed } from './disturbance.js'
import {
  answeredPeople,
  type Baseline,
  expecting,
  failuresOf,
  type JudgedBy,
  judgedUndisturbed,
  nameOfAct,
} from './judging.js'
import type { Ended, Player, PlayNeeds } from './player.js'

/** How the undisturbed plays went. */
interface UndisturbedPlays {
  readonly plays: number
  readonly passed: number
  /** The invariants that do not hold undisturbed, and how they were broken. */
  readonly broken: readonly { readonly name: string; readonly found: string }[]
  /** The number of requests to others in the first play. */
  readonly elsewhere: number
  /** The wall time of a play, in milliseconds: of the last, since the first also prepares what the others share. */
  readonly usualMs: number
}

/** An agent that can be checked: what it did undisturbed, and what it therefore does disturbed as well. */
export interface Settled extends UndisturbedPlays {
  readonly refusal?: undefined
  readonly undisturbed: Undisturbed
  readonly baseline: Baseline
  /** Whether the command starts simulators in its own processes, so that only assumptions can be tried. */
  readonly isInProcess: boolean
}

/** One that cannot: it fails undisturbed, only its first play passes, or it passes in fewer than four of five. */
export interface Refused extends UndisturbedPlays {
  readonly refusal: 'fails' | 'remembers' | 'uncertain'
  /** A play in which it failed. */
  readonly failed: Ended
}

/** How often an agent is played undisturbed whose first two plays differ, and how often it has to pass then. */
const [mostPlays, leastPassed] = [5, 4]

/** The bounds of a disturbed play, in milliseconds and requests: enough for any that does not go on forever. */
const [leastTime, leastRequests] = [60_000, 20_000]

/**
 * Plays a story undisturbed, twice, or up to five times if the first two differ. A play in which somebody else than the mailbox
 * was too busy, and which failed, does not count.
 * @throws RunError `nothing-asked` if the command did nothing that could be judged
 */
export async function playUndisturbed(
  player: Player,
  story: DisturbedStory,
  watching: () => Pick<PlayNeeds, 'signal'>,
): Promise<Settled | Refused> {
  const judged = judgedUndisturbed(story)
  const document = expecting(story.document, judged)
  const isFree = (story.document.attacks ?? []).length > 0
  const needs: PlayNeeds = isFree ? { watched: { attacks: 'all', form: 'hostile' } } : {}
  const isAdded = (key: string): boolean => judged.some((one) => one.key === key && one.place === undefined)
  const ended: Ended[] = []
  let isInProcess = false
  const passes = (one: Ended): boolean => {
    if (isInProcess) return one.played.agent?.passed === true
    return failuresOf(one, judged).every(({ key }) => isAdded(key))
  }
  for (let spoiled = 0; ended.length < mostPlays; ) {
    const one = await player.play(document, { ...needs, ...watching() })
    const { played, relied } = one
    if (ended.length === 0) {
      isInProcess = played.requests === 0 && relied.size > 0
      if (played.requests === 0 && !isInProcess && passes(one))
        throw new RunError('nothing-asked', whySilent(one))
    }
    if (isSpoiled(one) && !passes(one)) {
      if (++spoiled === mostPlays) throw new RunError('nothing-asked', busyElsewhere(one))
      continue
    }
    ended.push(one)
    const passed = ended.filter(passes).length
    if (ended.length === 2 && passed !== 1) break
  }
  const passing = ended.filter(passes)
  const [first] = passing
  const { length: plays } = ended
  const facts = {
    ...{ plays, passed: passing.length, broken: isInProcess ? [] : brokenIn(passing, judged) },
    elsewhere: ended[0]?.played.pace?.elsewhere ?? 0,
    usualMs: ended.at(-1)?.played.wallMs ?? 0,
  }
  if (!first || (plays > 2 && passing.length < leastPassed)) {
    const failed = ended.find((one) => !passes(one)) as Ended
    const isFirst = passing.length === 1 && passing[0] === ended[0]
    return { ...facts, failed, refusal: !first ? 'fails' : isFirst ? 'remembers' : 'uncertain' }
  }
  player.limits = {
    time: leastTime + 10 * facts.usualMs,
    maxRequests: leastRequests + 10 * Math.max(...passing.map(({ played }) => played.requests)),
  }
  return {
    ...facts,
    ...{ isInProcess, baseline: baselineOf(passing, judged) },
    undisturbed: { ...story, play: first.played, exchanges: exchangesOf(first), relied: first.relied },
  }
}

/**
 * Returns whether a play says nothing about the agent: somebody else than the mailbox was too busy, or failed, or there was not
 * enough time for all that the agent had to do.
 */
export function isSpoiled({ played }: Ended): boolean {
  return played.pace?.unavailable !== undefined || played.interrupted
}

/** Says what became of the deliveries to an agent that sent no request, and met no simulator in its processes. */
function whySilent({ played }: Ended): string {
  const received = played.simulator.deliveries.list().filter(hasReached)
  const why =
    received.length > 0
      ? `sent no request: ${describeWorst(received)}.`
      : 'no request came to MAILBOX_BASE_URL, and no simulator in its processes returned a response that depends on a gap. ' +
        'Does it use MAILBOX_BASE_URL and MAILBOX_API_KEY?'
  return `Nothing could be judged: the command passed, but ${why}`
}

function busyElsewhere({ played }: Ended): string {
  return `Nothing could be tried: in each of ${mostPlays} plays, somebody else than the mailbox answered the agent with ${played.pace?.unavailable}.`
}

/** Returns the invariants that the scenario does not name, and that do not hold. */
function brokenIn(passing: readonly Ended[], judged: readonly JudgedBy[]): UndisturbedPlays['broken'] {
  const found = passing.flatMap((one) => failuresOf(one, judged)).filter(({ key }) => key !== 'replies-once')
  return [...new Map(found.map(({ key, problem }) => [key, { name: key, found: problem }])).values()]
}

function exchangesOf({ played }: Ended) {
  const entries = played.simulator.journal.entries()
  return entries.map((entry) => entry.show()).filter(({ operation }) => operation !== null)
}

/** Returns what an agent did in undisturbed plays in which it passed. */
export function baselineOf(passing: readonly Ended[], judged: readonly JudgedBy[]): Baseline {
  const failed = new Set(passing.flatMap((one) => failuresOf(one, judged).map(({ key }) => key)))
  const [first = new Set<string>(), ...others] = passing.map(({ played }) => answeredPeople(played.simulator))
  const acts = passing.flatMap(({ played }) => {
    return played.attacks.flatMap(({ name, acts: shown }) => {
      return shown.flatMap(({ done, text }) => (done ? nameOfAct(name, text) : []))
    })
  })
  return {
    held: new Set(judged.map(({ key }) => key).filter((key) => !failed.has(key))),
    answered: [...first].filter((address) => others.every((one) => one.has(address))),
    acts: new Set(acts),
  }
}
