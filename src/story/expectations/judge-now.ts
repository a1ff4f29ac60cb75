import type { IdentityRow } from '../../service/model/rows.js'
import { type KeyedMessage, type KeyedThread, Lookups, type MessageFilter, Names } from '../compile/names.js'
import type { Agent } from '../compile/parts.js'
import { hintsAbout, withHints } from './exchanges.js'
import { CheckedRun, type JudgedStory } from './expectation-checker.js'
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
  const lookups = new Lookups(new NamesById(mailbox), extensions)
  const timeline = mailbox.timeline.played().map(({ name }) => ({ key: name }))
  const { expectations } = compileExpectations({ timeline, expect: [written], secrets }, lookups)
  return lookups.problems.length === 0 ? expectations[0] : undefined
}

/** Judges an expectation by everything that the log of a mailbox has: the one way for matchers, the control API and others. */
export function judgeNow(mailbox: JudgedStory, expectation: Expectation): Judged {
  return judgedBy(followNow(mailbox, [expectation]), mailbox)
}

/** Returns a run that follows expectations, by default those of the scenario, and has observed everything that the log has. */
export function followNow(mailbox: JudgedStory, expectations = mailbox.expectations): CheckedRun {
  return CheckedRun.begin(mailbox, { expectations }, mailbox.events.log.entries)
}

/** Returns what the one expectation of a run is found to be, as if the story ended now. */
export function judgedBy(run: CheckedRun, mailbox: JudgedStory): Judged {
  const [result] = run.results()
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
class NamesById extends Names {
  readonly #mailbox: JudgedStory

  constructor(mailbox: JudgedStory) {
    super([], [], 0)
    this.#mailbox = mailbox
  }

  override agent(name: string): Agent | undefined {
    const { store } = this.#mailbox
    const row =
      store.identityBy('handleAnywhere', name.replace(/^@/, '')) ?? store.identityBy('mailboxAnywhere', name)
    return row && agentOf(row)
  }

  override threads(id: string): readonly KeyedThread[] {
    const row = this.#mailbox.store.get('thread', id)
    return row ? [{ key: id, id, name: id, owner: this.#ownerOf(row), begunBy: undefined }] : []
  }

  override messages({ key: id = '' }: MessageFilter): KeyedMessage[] {
    const row = this.#mailbox.store.get('message', id)
    if (!row) return []
    const { thread_id: thread, direction } = row
    const isSent = direction === 'outbound'
    return [{ key: id, id, thread, path: [], isSent, owner: this.#ownerOf(row), broughtBy: undefined }]
  }

  #ownerOf({ identity_id }: { readonly identity_id: string }): Agent {
    return agentOf(this.#mailbox.store.get('identity', identity_id) as IdentityRow)
  }
}

function agentOf({ id, agent_handle: handle, mailbox_address: address }: IdentityRow): Agent {
  return {
    id,
    name: id,
    path: [],
    locale: 'en',
    handle,
    address,
    identity: { handle, threads: [] },
    threads: [],
  }
}
