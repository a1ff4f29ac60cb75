import { once } from '../../base/once.js'
import { capitalized } from '../../base/text.js'
import { formatInstant, parseInstant } from '../../service/time/time.js'
import { showDelivery } from '../../service/webhooks/deliveries.js'
import type { Entry } from '../../service/world/entries.js'
import type { StoryMasker } from '../secrets.js'
import type { Expectation, ExpectationResult } from './kinds.js'
import { PatternError } from './match.js'
import { explainForgotten } from './request.js'
import { Milestones, type Moment } from './time-window.js'
import type { JudgedMailbox, Observation, RunFacts, Tracker, TrackerResult } from './tracker.js'

/** An attack that is laid over a story. */
export interface LaidAttack {
  readonly name: string
  /** Its mails, all of which the agent must get before it can obey: the ids of each, one in every mailbox that gets it. */
  readonly mails: readonly (readonly string[])[]
  /**
   * The expectations of which one holds if the agent obeys; `failed` if it no longer does its work, `all-unread` if it marks all
   * mail as unread.
   */
  readonly obeyed: readonly Expectation[] | 'failed' | 'all-unread'
  /** Whether its mail does not come, so that what the agent does, it does without the attack. */
  readonly isAbsent?: boolean
}

/** A mailbox with the story that is told in it. */
export interface JudgedStory extends JudgedMailbox {
  /** The expectations of its scenario. */
  readonly expectations: readonly Expectation[]
  /** The attacks that are laid over its story. */
  readonly laidAttacks: readonly LaidAttack[]
}

/** What a checker checks. */
interface CheckerOptions {
  /** The expectations, instead of those of the scenario. */
  readonly expectations?: readonly Expectation[]
  /** Whether it goes on after a reset, since the agent that it judges may have caused that; by default, it restarts. */
  readonly outlivesReset?: boolean
  /** Called after each entry of the log, with what was observed of it. */
  readonly observed?: (entry: Entry, moment: Moment, run: CheckedRun, observation?: Observation) => void
}

/**
 * Checks the expectations of a scenario. It must be created before the run starts: of earlier events, it
 * knows only those that the mailbox's log still has.
 */
export class ExpectationChecker {
  readonly #mailbox: JudgedStory
  readonly #options: CheckerOptions
  readonly #stop: () => void
  #run: CheckedRun

  constructor(mailbox: JudgedStory, options: CheckerOptions = {}) {
    const { log } = mailbox.events
    this.#mailbox = mailbox
    this.#options = options
    this.#run = this.#begin(log.entries)
    this.#stop = log.subscribe((entry) => {
      if (entry) this.#observe(entry)
    })
  }

  /** Returns the result of every expectation, in the order of the file, as if the run ended now; has no side effects. */
  results(): ExpectationResult[] {
    return this.#run.results()
  }

  /** Stops observing; results cover everything up to now. */
  close(): void {
    this.#stop()
  }

  #begin(history?: readonly Entry[]): CheckedRun {
    return CheckedRun.begin(this.#mailbox, this.#options, history)
  }

  #observe(entry: Entry): void {
    if (entry.type === 'reset' && !this.#options.outlivesReset) this.#run = this.#begin()
    else this.#run.observe(entry)
  }
}

/** A run of a scenario from its beginning, with a tracker for each expectation. */
export class CheckedRun {
  readonly #mailbox: JudgedStory
  readonly #expectations: Expectation[] = []
  readonly #trackers: Tracker[] = []
  /** Why expectations cannot be judged any more, by their indexes. */
  readonly #problems = new Map<number, string>()
  readonly #facts: RunFacts
  readonly #observed: CheckerOptions['observed']
  readonly #masker: StoryMasker
  /** The number of the latest entry that was observed. */
  #latest = 0
  /** Says that the history is not complete, if it is not. */
  #forgotten: string | undefined

  private constructor(
    mailbox: JudgedStory,
    { expectations = mailbox.expectations, observed }: CheckerOptions,
  ) {
    this.#mailbox = mailbox
    this.#observed = observed
    const milestones = new Milestones(parseInstant(mailbox.clock.beganAt) as number)
    this.#facts = { mailbox, milestones, others: mailbox.expectations }
    this.#masker = mailbox.masker
    for (const one of expectations) this.add(one)
  }

  /** `history` has the run so far; without it, the run has just begun. */
  static begin(mailbox: JudgedStory, options: CheckerOptions, history?: readonly Entry[]): CheckedRun {
    const run = new CheckedRun(mailbox, options)
    run.#notePlayed(history ?? [])
    if (history) run.#forgotten = explainForgotten(mailbox)
    for (const entry of history ?? []) {
      const { moment, observation } = run.#note(entry)
      options.observed?.(entry, moment, run, observation)
    }
    const { clock, events } = mailbox
    run.#notifyState({ at: parseInstant(clock.now()) as number, seq: events.latest })
    return run
  }

  observe(entry: Entry): void {
    const { moment, observation } = this.#note(entry)
    if (['command', 'assumptions', 'timeline'].includes(entry.type)) this.#notifyState(moment)
    this.#observed?.(entry, moment, this, observation)
  }

  /** Adds an expectation that counts from now on; returns its index. */
  add(expectation: Expectation): number {
    this.#expectations.push(expectation)
    return this.#trackers.push(expectation.track(this.#facts)) - 1
  }

  /** Returns the results as if the play ended now. */
  results(): ExpectationResult[] {
    const end = parseInstant(this.#mailbox.clock.now()) as number
    return this.#expectations.map((_, index) => this.#resultOf(index, end))
  }

  /** Returns whether the expectation at an index would pass if the play ended at an instant. */
  passes(index: number, end: number): boolean {
    return this.#orProblem(index, () => this.#trackers[index]?.evaluate(end).passed) === true
  }

  /** Returns why it is not known whether the expectation at an index holds, if so. */
  forgottenOf(index: number): string | undefined {
    const { kind = '' } = this.#expectations[index] ?? {}
    const isFinal = this.#trackers[index]?.decided === true || kindsOfToday.includes(kind)
    return isFinal ? undefined : this.#forgotten
  }

  /** Returns the things that match the expectation at an index, if it counts things; at most 1,000. */
  matching(index: number): readonly unknown[] {
    return this.#trackers[index]?.matching ?? []
  }

  /** Notes the entries of the timeline that were played before the history begins. */
  #notePlayed(history: readonly Entry[]): void {
    const told = new Set(history.map((entry) => (entry.type === 'timeline' ? entry.played.name : undefined)))
    for (const { name, at, triggered } of this.#mailbox.timeline.played()) {
      if (triggered || told.has(name)) continue
      this.#facts.milestones.note(name, { at: parseInstant(at) as number, seq: 0 })
    }
  }

  #note(entry: Entry): { readonly moment: Moment; readonly observation: Observation | undefined } {
    const moment = this.#momentOf(entry)
    const { milestones } = this.#facts
    if (entry.type === 'timeline') {
      const { name, at: planned } = entry.played
      milestones.note(name, { at: parseInstant(planned) as number, seq: moment.seq })
    }
    const observation = this.#observationOf(entry, moment)
    if (observation?.type === 'exchange' && observation.exchange.operation !== null)
      milestones.note(observation.exchange.operation, moment)
    if (observation) this.#notify(observation)
    return { moment, observation }
  }

  #observationOf(entry: Entry, moment: Moment): Observation | undefined {
    if (entry.type === 'exchange') {
      const { receivedMs: from = 0, durationMs } = entry.recorded
      return {
        ...{ type: entry.type, moment, exchange: entry.showRequest(), entry },
        wall: { from, to: from + durationMs },
        // For all trackers together.
        sent: once(() => this.#mailbox.sentBy([entry])),
      }
    }
    if (entry.type === 'delivery')
      return { type: entry.type, moment, delivery: showDelivery(entry.delivery, this.#masker.keys) }
    if (entry.type !== 'event') return undefined
    const { type, message_id: message, recipient = null } = entry.event
    return { type: 'event', moment, event: type, message, recipient }
  }

  /** Returns when an entry happened. A delivery of which it is told again has ended between the latest entry and the next. */
  #momentOf(entry: Entry): Moment {
    if (entry.seq <= this.#latest) {
      return { at: parseInstant(this.#mailbox.clock.now()) as number, seq: this.#latest + 0.25 }
    }
    this.#latest = entry.seq
    return { at: entry.type === 'exchange' ? entry.recorded.at : entry.at, seq: entry.seq }
  }

  #notify(observation: Observation): void {
    for (const [index, tracker] of this.#trackers.entries()) {
      this.#orProblem(index, () => tracker.observe(observation))
    }
  }

  /** Observes the state after an event: its place in the order is between that event and the next. */
  #notifyState({ at, seq }: Moment): void {
    this.#notify({ type: 'state', moment: { at, seq: seq + 0.5 } })
  }

  /** Does something for an expectation; undefined, now and from then on, if a pattern of it cannot be matched. */
  #orProblem<Result>(index: number, act: () => Result): Result | undefined {
    if (this.#problems.has(index)) return undefined
    try {
      return act()
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      this.#problems.set(index, error.message)
      return undefined
    }
  }

  #resultOf(index: number, end: number): ExpectationResult {
    const { key, kind, describe } = this.#expectations[index] as Expectation
    const tracker = this.#trackers[index] as Tracker
    const { expected } = tracker
    const evaluated = this.#orProblem(index, () => tracker.evaluate(end))
    const failed = { passed: false, found: this.#problems.get(index) ?? '', nearest: null }
    const result: TrackerResult = evaluated ?? failed
    const { nearest, unjudged, at = end } = result
    const forgotten = this.forgottenOf(index)
    const passed = result.passed && forgotten === undefined
    const found = forgotten === undefined ? result.found : `${result.found}; ${forgotten}`
    const masked = (text: string): string => this.#masker.known(text)
    return {
      index,
      key,
      kind,
      describe: masked(describe ?? `${capitalized(expected)}.`),
      passed,
      // The time at which it became true depends on the agent's speed, which differs from run to run.
      at: formatInstant(passed ? end : at),
      expected: masked(expected),
      found: masked(found),
      nearest: nearest && {
        ...nearest,
        line: masked(nearest.line),
        differences: nearest.differences.map((line) => maskedDifference(line, masked)),
      },
      ...(passed && unjudged !== undefined && { unjudged }),
    }
  }
}

/** The kinds that are judged by what the mailbox has at present. */
const kindsOfToday: readonly string[] = ['delivery', 'identity', 'thread', 'message']

/** Masks a line about a difference; what differs only where it is masked says so. */
function maskedDifference(line: string, masked: (text: string) => string): string {
  const shown = masked(line)
  const [, expected = '', found = ''] = /: expected (?:containing )?"?(.*?)"?, found (.*)$/s.exec(shown) ?? []
  const isHidden = /\*\*\*|\[secret /.test(expected) && found.includes(expected)
  return isHidden ? `${shown}; they differ in what is masked` : shown
}
