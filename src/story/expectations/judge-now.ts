import type { Path } from '../../base/mistake.js'
import { everyOperationName } from '../../contract/extensions.js'
import { parseInstant } from '../../service/time/time.js'
import { noIdentity, noSuch, type ProblemAt } from '../read/problem.js'
import { compileExpectations } from './compile.js'
import { hintsAbout, withHints } from './exchanges.js'
import { CheckedRun, type JudgedStory } from './expectation-checker.js'
import type { NamedAgent, NamedPart, StoryNames } from './kind.js'
import type { Expectation, ExpectationResult, ScenarioExpectation } from './kinds.js'
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

/**
 * Compiles an expectation of a program, which names threads and messages by their ids; returns what it names that there is not,
 * if so.
 */
export function compileById(
  mailbox: JudgedStory,
  written: ScenarioExpectation,
): { readonly expectation: Expectation | undefined; readonly problems: readonly ProblemAt[] } {
  const names = new NamesById(mailbox)
  const { secrets, extensions } = mailbox
  const timeline = mailbox.timeline.played().map(({ name }) => ({ key: name }))
  const { request } = written
  const operations: readonly string[] = everyOperationName(extensions)
  if (request !== undefined && !operations.includes(request)) {
    names.problem(['expect', 0, 'request'], () => noSuch('operation', request, operations))
  }
  const lookups = Object.assign(names, { extensions })
  const { expectations } = compileExpectations({ timeline, expect: [written], secrets }, lookups)
  return { expectation: expectations[0], problems: names.problems }
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

  constructor(mailbox: JudgedStory) {
    this.#mailbox = mailbox
  }

  readonly names = {
    handles: [] as string[],
    agent: (name: string) => this.#agentNamed(name),
  }

  problem(path: Path, message: ProblemAt['message'], part: 'key' | 'value' = 'value'): void {
    this.problems.push({ path, part, message })
  }

  agent(handle: string | undefined, path: Path): NamedAgent | 'unknown' | undefined {
    if (handle === undefined) return undefined
    const found = this.#agentNamed(handle)
    if (!found) this.problem(path, () => noIdentity(handle, this.names.handles))
    return found ?? 'unknown'
  }

  thread({ key }: { readonly key: string }, path: Path): NamedPart | undefined {
    const row = this.#mailbox.store.get('thread', key)
    if (!row) this.problem(path, () => noSuch('thread', key, []))
    return row && this.#part(key, row.identity_id)
  }

  message(key: string, _where: object, path: Path): NamedPart | undefined {
    const row = this.#mailbox.store.get('message', key)
    if (!row) this.problem(path, () => noSuch('message', key, []))
    return row && this.#part(key, row.identity_id)
  }

  target(
    {
      identity,
      thread: threadId,
      message: messageId,
    }: { identity?: string; thread?: string; message?: string },
    path: Path,
  ) {
    const owner = this.agent(identity, [...path, 'identity'])
    const thread = threadId === undefined ? undefined : this.thread({ key: threadId }, [...path, 'thread'])
    const message = messageId === undefined ? undefined : this.message(messageId, {}, [...path, 'message'])
    return owner === 'unknown' || this.problems.length > 0 ? undefined : { owner, thread, message }
  }

  #part(id: string, owner: string): NamedPart | undefined {
    const row = this.#mailbox.store.get('identity', owner)
    const agent = row && this.#agentNamed(row.agent_handle)
    return agent && { key: id, id, owner: agent }
  }

  #agentNamed(name: string): NamedAgent | undefined {
    const { store } = this.#mailbox
    const row =
      store.identityBy('handleAnywhere', name.replace(/^@/, '')) ?? store.identityBy('mailboxAnywhere', name)
    if (!row) return undefined
    const { id, agent_handle: handle, mailbox_address: address } = row
    return { id, handle, address }
  }
}
