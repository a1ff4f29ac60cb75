import type { Fault } from '../../service/faults/fault.js'
import { expectedInvariant, type NamedInvariant } from '../../story/expectations/invariant.js'
import type { InvariantName } from '../../story/expectations/invariants/invariants.js'
import type { Expectation } from '../../story/expectations/kinds.js'
import type { PlayedStory } from './facts.js'
import { onlyReads, type PlanChange } from './kinds/kind.js'
import { faultsOf, type PlanElement, planChanges } from './kinds/kinds.js'
import type { WrittenExpectation } from './outcome.js'

/** An expectation in its checked and its written form. */
export interface ExpectationForms {
  /** A name that is unique in its scenario, and stays the same when parts of it are omitted. */
  readonly name: string
  readonly checked: Expectation
  readonly written: WrittenExpectation
}

/** The criteria for a plan. */
export interface Judgement {
  /** Whether the client has to exit with success. */
  readonly exit: boolean
  readonly expectations: readonly ExpectationForms[]
  /** The expectations that are not judged, and why. */
  readonly left: readonly { readonly name: string; readonly why: string }[]
}

/** A failure of a client under a plan. */
export interface ClientFailure {
  /** `command`, `expectation`, `outcome`, or the name of an invariant. */
  readonly judgedBy: 'command' | 'expectation' | 'outcome' | InvariantName
  /** The name of the expectation that failed, `command` or `outcome`. */
  readonly name: string
  /** A description in one line. */
  readonly why: string
  /** Equal for failures with the same cause. */
  readonly cause: string
  /** The expectation that failed, as it is written. */
  readonly written: WrittenExpectation | undefined
}

/** The facts by which plans are judged. */
export interface JudgingFacts {
  /** The run without changes. */
  readonly base: PlayedStory
  /** The expectations of the scenario that the run without changes meets. */
  readonly expected: readonly ExpectationForms[]
  /** The invariants that hold in the run without changes. */
  readonly invariants: ReadonlySet<InvariantName>
  /** Milliseconds of story time within which the client has to end; undefined for one that does not end by itself. */
  readonly endsWithin: number | undefined
  /** The people who were answered in each run without changes. */
  readonly answered: readonly string[]
  /** Whether two runs without changes do the same in the end, so that a run under a plan can be compared with a control. */
  readonly isSteady: boolean
}

/** The invariants that hold under every plan, the most informative first. */
const judgedInvariants = [
  'acts-once',
  'reads-before-it-answers',
  'ignores-automatic-mail',
  'backs-off',
  'accepts-events',
] as const satisfies readonly InvariantName[]

/**
 * Returns the criteria for a plan, all of which a careful client meets, without those that the story is known to rule
 * out: names of expectations, and `command` for the exit status.
 */
export function judgementOf(
  elements: readonly PlanElement[],
  facts: JudgingFacts,
  ruledOut: ReadonlySet<string> = new Set(),
): Judgement {
  const { base, expected } = facts
  const faults = faultsOf(elements)
  const changes = planChanges(elements)
  const excused = mayGiveUp(faults)
  const attainable = expected.filter(({ name }) => !ruledOut.has(name))
  const judged = excused ? [] : attainable.map((one) => [one, underPlan(one, changes, base)] as const)
  const kept = judged.flatMap(([, form]) => (typeof form === 'string' ? [] : [form]))
  const answers = !excused && mustAnswer(changes, facts) && !ruledOut.has(answersInvariant)
  return {
    exit: !excused && !ruledOut.has('command'),
    left: judged.flatMap(([{ name }, why]) => (typeof why === 'string' ? [{ name, why }] : [])),
    expectations: [
      ...kept,
      ...judgedInvariants
        .filter((name) => facts.invariants.has(name) && applies(name, { changes, faults, base }))
        .map((name) => invariant(name)),
      ...(answers ? [invariant('answers-everyone', { people: facts.answered })] : []),
      // The writes of a client may differ if it learns of mail late.
      ...(!changes.has('late') && writesCount(changes, faults, facts)
        ? [invariant('changes-nothing-else', { writes: base.writes })]
        : []),
    ],
  }
}

/** The name of the rule that whoever is answered undisturbed is answered under a plan. */
export const answersInvariant = 'invariant answers-everyone'

/**
 * Returns whether whoever is answered undisturbed must be answered under a plan, too: one that changes order, form, size and
 * faults, and adds no mail to their threads. A client that ends by itself may end before mail that comes later.
 */
function mustAnswer(changes: ReadonlySet<PlanChange>, { base, answered }: JudgingFacts): boolean {
  const isLater = changes.has('together') || changes.has('late')
  return answered.length > 0 && !changes.has('threads') && !(base.ended && isLater)
}

/** What decides whether an invariant is judged under a plan. */
interface Applying {
  readonly changes: ReadonlySet<PlanChange>
  readonly faults: readonly Fault[]
  readonly base: PlayedStory
}

/** The invariants of a client whose program is never started again. */
const aboutOneLife: ReadonlySet<InvariantName> = new Set<InvariantName>([
  ...(['backs-off', 'accepts-events'] as const),
])

function applies(name: InvariantName, { changes, faults, base }: Applying): boolean {
  // A delivery whose handling was cut short comes again, and one that starts again knows of no wait.
  if (changes.has('restarts') && aboutOneLife.has(name)) return false
  // If what is written undisturbed is equal, equal writes may have another cause.
  if (name === 'acts-once') return !base.repeatedWrites && !base.repeatedMail
  // Only the header shows whether mail is automatic.
  if (name === 'ignores-automatic-mail') return !changes.has('hidden-headers')
  // A client that polls asks at its own interval, which is no repetition of what was refused.
  if (name === 'backs-off') return !faults.some(({ operation }) => polls(base, operation))
  // A receiver may refuse an event while its own requests fail.
  return name !== 'accepts-events' || !changes.has('failures')
}

/**
 * The least number of milliseconds between two polls. On an `auto` clock, where only waits take time, a client that polls is
 * woken ever more seldom once three polls brought nothing new.
 */
const shortestPoll = 50

/** Returns whether a client that keeps running sends requests of an operation at a regular interval. */
function polls({ ended, asked }: PlayedStory, operation: Fault['operation']): boolean {
  const times = asked.filter(({ request }) => request === operation).map(({ after }) => after)
  if (ended) return false
  const gaps = times.slice(1).map((time, place) => time - (times[place] as number))
  const pauses = gaps.filter((gap) => gap >= shortestPoll)
  const interval = Math.min(...pauses)
  return pauses.filter((pause) => pause <= 1.3 * interval).length >= 2
}

/** New mail and other assumptions may lead to other writes. */
function writesCount(
  changes: ReadonlySet<PlanChange>,
  faults: readonly Fault[],
  facts: JudgingFacts,
): boolean {
  const isSame = !['mail', 'responses', 'restarts', 'words'].some((one) => changes.has(one as PlanChange))
  const isShort = faults.every((fault) => isSlow(fault) || (fault.times === 1 && onlyReads(fault.operation)))
  return isSame && isShort && facts.invariants.has('changes-nothing-else')
}

/**
 * Returns whether a client may give up and report it: after anything except a single 429 or 503 for a request
 * that only reads, which every client must handle.
 */
export function mayGiveUp(faults: readonly Fault[]): boolean {
  const hard = faults.filter((fault) => !isSlow(fault))
  const isHard = hard.some(({ operation, status, times }) => {
    const reads = onlyReads(operation)
    return !reads || times !== 1 || (status !== 429 && status !== 503)
  })
  const names = hard.map(({ operation }) => operation)
  return isHard || new Set(names).size < names.length
}

/** Returns whether a fault only delays a response. */
function isSlow({ delay, drip }: Fault): boolean {
  return (delay ?? drip) !== undefined
}

/**
 * Returns an expectation as it is judged under a plan, or why it is not judged: what a client did about other mail is
 * compared with a control instead.
 */
function underPlan(
  one: ExpectationForms,
  changes: ReadonlySet<PlanChange>,
  base: PlayedStory,
): ExpectationForms | string {
  const { checked, written } = one
  const isOther = changes.has('mail')
  if (!('window' in checked) && checked.kind !== 'invariant') {
    if (checked.kind !== 'errors') return 'it is about the whole story'
    const isFailing = changes.has('responses') || changes.has('failures') || changes.has('restarts')
    return isFailing ? 'the plan itself makes requests fail' : one
  }
  if (checked.kind === 'invariant') {
    const isHidden = checked.invariant === 'ignores-automatic-mail' && changes.has('hidden-headers')
    if (isHidden) return 'the client cannot see the header fields'
    if (checked.invariant !== 'answers-everyone') return one
    // A client that answers the latest message of a thread answers somebody else if another is the latest.
    if (changes.has('threads')) return 'somebody else may write last in a thread'
    return base.ended && mayMiss(checked, changes) ? 'the client may have ended before mail came' : one
  }
  const { within, before } = checked.window
  const isDelaying = changes.has('failures') || changes.has('late') || changes.has('restarts')
  if (isDelaying && (before !== null || within !== null))
    return 'the plan itself delays what the client has to see'
  if ('has' in checked) {
    if (isOther) return 'the client sees other mail'
    if (changes.has('words') && checked.kind === 'message') return 'the message is written in another way'
    return changes.has('responses') && checked.kind !== 'identity' ? 'it may depend on an assumption' : one
  }
  const isAboutWrites =
    checked.kind === 'sent' || (checked.kind === 'request' && !onlyReads(checked.operation))
  if (isAboutWrites && isOther) return 'the client sees other mail'
  if (isDelaying && checked.kind === 'delivery') return 'the plan itself changes how deliveries end'
  // The same words in another form are no reason to write more often.
  if (isAboutWrites && [...changes].every((change) => change === 'words')) return one
  const { most } = checked.amount
  // Two things that arrive together may be handled together, and a request that fails is not counted.
  const isMerged = changes.has('together') || isDelaying
  const least = isMerged ? Math.min(1, checked.amount.least) : checked.amount.least
  if (most === 0 || (most === null && least === checked.amount.least)) return one
  if (least === 0) return 'the plan changes how often the client asks'
  const { times: _, at_most: __, at_least: ___, ...rest } = written
  return {
    ...one,
    checked: { ...checked, amount: { least, most: null } },
    written: { ...rest, at_least: least } as WrittenExpectation,
  }
}

/** Returns whether a client that ends by itself may have ended before somebody wrote who has to be answered. */
function mayMiss({ people }: NamedInvariant, changes: ReadonlySet<PlanChange>): boolean {
  const isAnybody = people === null || people.some((one) => one.includes('*'))
  return changes.has('together') || changes.has('late') || (isAnybody && changes.has('meanwhile'))
}

interface Limits {
  readonly writes?: readonly string[]
  readonly people?: readonly string[]
}

/** Returns an invariant as an expectation. */
export function invariant(name: InvariantName, { writes, people }: Limits = {}): ExpectationForms {
  const checked: NamedInvariant = {
    ...expectedInvariant(name),
    ...{ writes: writes ?? null, people: people ?? null },
  }
  const written = {
    invariant: name,
    ...(writes !== undefined && { writes: [...writes] }),
    ...(people !== undefined && { people: [...people] }),
  }
  return { name: `invariant ${name}`, checked, written }
}

/** Returns the most informative failure of a run; undefined if there is none. */
export function failureOf(played: PlayedStory, { exit, expectations }: Judgement): ClientFailure | undefined {
  // What a receiver refused comes again later, and a client that has ended answers nobody.
  const mayOwe = !played.passed || played.deliveries.some(({ status }) => status === 'pending')
  const failed = played.verdicts.filter(({ passed, index }) => {
    return !passed && !(mayOwe && expectations[index]?.name === answersInvariant)
  })
  const invariantFailure = failed.find(({ kind, index }) => {
    return kind === 'invariant' && expectations[index]?.name !== answersInvariant
  })
  // What the scenario expects says more than a rule about everybody, which comes after its expectations.
  const [first] = invariantFailure ? [invariantFailure] : failed
  if (exit && !played.passed && !invariantFailure) {
    const why = played.why ?? 'failed'
    return {
      judgedBy: 'command',
      name: 'command',
      why,
      cause: `command ${withoutNumbers(why)}`,
      written: undefined,
    }
  }
  if (!first) return undefined
  // A client that ended because of a disturbance, and reports it, has not failed silently.
  const { name, written, checked } = expectations[first.index] as ExpectationForms
  const judgedBy = checked.kind === 'invariant' ? checked.invariant : 'expectation'
  if (judgedBy === 'changes-nothing-else' && !played.passed) return undefined
  const why = judgedBy === 'expectation' ? `${first.describe} Found ${first.found}.` : first.found
  const cause = judgedBy === 'expectation' ? `expectation ${JSON.stringify(written)}` : judgedBy
  return { judgedBy, name, why, cause, written }
}

/** Removes ids, times and the like, which differ from run to run. */
function withoutNumbers(line: string): string {
  return line.replace(/\b(thrd|msg|ident|whk|evt|dlv)_\w+/g, '#').replace(/\d+/g, '#')
}
