import type { Path } from '../../base/mistake.js'
import { everyOperationName } from '../../contract/extensions.js'
import type { IdentityRow } from '../../service/model/rows.js'
import { parseInstant } from '../../service/time/time.js'
import type { ProblemAt } from '../read/problem.js'
import { hintsAbout, withHints } from './exchanges.js'
import { CheckedRun, type JudgedStory } from './expectation-checker.js'
import type { NamedAgent, NamedPart, StoryNames } from './kind.js'
import {
  compileExpectations,
  type Expectation,
  type ExpectationResult,
  type ScenarioExpectation,
} from './kinds.js'
import { explainNoRequests } from './request.js'
import type { Compiled, NearestMatch } from './tracker.js'

/** What an expectation is found to be, as if the story ended now. */
export interface Judged extends Pick<ExpectationResult, 'expected' | 'found' | 'nearest'> {
  readonly held: boolean
  /** The requests, messages or deliveries that match, if it counts them; at most 1,000. */
  readonly matching: readonly unknown[]
  /** Likely mistakes in the requests so far, if it does not hold. */
  readonly hints: readonly string[]
}

/** Compiles an expectation of a program, which names threads and messages by their ids; undefined if there is no such part. */
export function compileById(mailbox: JudgedStory, written: ScenarioExpectation): Expectation | undefined {
  const { secrets, extensions } = mailbox
  const { request } = written
  if (request !== undefined && !everyOperationName(extensions).includes(request as never)) return undefined
  const names = new NamesById(mailbox)
  const timeline = mailbox.timeline.played().map(({ name }) => ({ key: name }))
  const { expectations } = compileExpectations(
    { timeline, expect: [written], secrets },
    Object.assign(names, { extensions }),
  )
  return names.problems.length === 0 ? expectations[0] : undefined
}

/** Judges an expectation by everything that the log of a mailbox has: the one way for matchers, the control API and others. */
export function judgeNow(mailbox: JudgedStory, expectation: Expectation): Judged {
  return judgedBy(followNow(mailbox, expectation), mailbox)
}

/** Returns a run that follows one expectation, and has observed everything that the log of a mailbox has. */
export function followNow(mailbox: JudgedStory, expectation: Expectation): CheckedRun {
  return CheckedRun.begin(mailbox, { expectations: [expectation] }, mailbox.events.log.entries)
}

/** As `judgeNow`, with pauses in which others are answered: a pattern for thousands of mails takes seconds. */
export async function judgeInTurns(mailbox: JudgedStory, expectation: Expectation): Promise<Judged> {
  const history = [...mailbox.events.log.entries]
  const run = await CheckedRun.beginInTurns(mailbox, { expectations: [expectation] }, history)
  return judgedBy(run, mailbox)
}

/** Returns what the one expectation of a run is found to be, as if the story ended now. */
export function judgedBy(run: CheckedRun, mailbox: JudgedStory): Judged {
  const [result] = run.results(parseInstant(mailbox.clock.now()) as number)
  const { kind, passed: held, expected, found, nearest } = result as ExpectationResult
  const isSilent = mailbox.journal.entries().length === 0 && kind !== 'delivery'
  const hints = held ? [] : isSilent ? [explainNoRequests(mailbox)] : hintsAbout(mailbox)
  return { held, expected, found, nearest, matching: run.matching(0), hints }
}

/** Returns an expectation that no scenario has. */
export function unwritten(kind: Expectation['kind'], compiled: Compiled): Expectation {
  return { kind, key: null, describe: null, written: {}, ...compiled }
}

/** Describes what an expectation is found to be, with what came closest and likely mistakes. */
export function describeJudged({
  expected,
  found,
  nearest,
  hints = [],
}: Pick<Judged, 'expected' | 'found'> & {
  readonly hints?: Judged['hints']
  readonly nearest: Pick<NearestMatch, 'line' | 'differences'> | null
}): string {
  const lines = nearest ? [`  ✗ ${nearest.line}`, ...nearest.differences.map((line) => `      ${line}`)] : []
  return withHints([`Expected ${expected}; found: ${found}.`, ...lines].join('\n'), hints)
}

/** Finds the parts of a world by their ids, where a story has their keys. */
class NamesById implements StoryNames {
  readonly #mailbox: JudgedStory
  readonly problems: ProblemAt[] = []
  readonly names = { handles: [] as string[], agent: (name: string) => this.#agentNamed(name) }

  constructor(mailbox: JudgedStory) {
    this.#mailbox = mailbox
  }

  problem(path: Path, message: ProblemAt['message'], part: 'key' | 'value' = 'value'): void {
    this.problems.push({ path, part, message })
  }

  agent(handle: string | undefined, path: Path): NamedAgent | 'unknown' | undefined {
    return handle === undefined ? undefined : (this.#known(this.#agentNamed(handle), path) ?? 'unknown')
  }

  thread({ key }: { readonly key: string }, path: Path): NamedPart | undefined {
    return this.#part(this.#known(this.#mailbox.store.get('thread', key), path))
  }

  message(key: string, _where: object, path: Path): NamedPart | undefined {
    return this.#part(this.#known(this.#mailbox.store.get('message', key), path))
  }

  target(
    { identity, thread: key, message: id }: { identity?: string; thread?: string; message?: string },
    path: Path,
  ) {
    const owner = this.agent(identity, path)
    const thread = key === undefined ? undefined : this.thread({ key }, path)
    const message = id === undefined ? undefined : this.message(id, {}, path)
    return owner === 'unknown' || this.problems.length > 0 ? undefined : { owner, thread, message }
  }

  #known<Found>(found: Found | undefined, path: Path): Found | undefined {
    if (!found) this.problem(path, 'there is none')
    return found
  }

  #part(row: { readonly id: string; readonly identity_id: string } | undefined): NamedPart | undefined {
    const identity = row && this.#mailbox.store.get('identity', row.identity_id)
    return row && identity && { key: row.id, id: row.id, owner: agentOf(identity) }
  }

  #agentNamed(name: string): NamedAgent | undefined {
    const { store } = this.#mailbox
    const row =
      store.identityBy('handleAnywhere', name.replace(/^@/, '')) ?? store.identityBy('mailboxAnywhere', name)
    return row && agentOf(row)
  }
}

function agentOf({ id, agent_handle: handle, mailbox_address: address }: IdentityRow): NamedAgent {
  return { id, handle, address }
}
