import type { Identity, Webhook } from '../contract/resources.js'
import { ExpectationChecker } from '../expectations/expectation-checker.js'
import type { ExpectationResult } from '../expectations/tracker.js'
import type { GapReading } from '../simulator/controls.js'
import type { MailboxMessage, MailboxThread } from '../simulator/mailbox.js'
import type { Simulator } from '../simulator/simulator.js'
import type { Delivery, Exchange, FaultRule, PlayedEntry, RelianceSummary } from '../world/index.js'

/** Everything that a report shows of a world: the JSON in a page that needs no server. */
export interface Recording {
  readonly format: 'agent-mailbox-sim/recording'
  readonly version: 1
  /** The outcome in a line. */
  readonly title: string
  readonly passed: boolean
  /** The report as its JSON format has it. */
  readonly report: object
  readonly world: RecordedWorld
  readonly agents: readonly Identity[]
  readonly conversations: readonly RecordedConversation[]
  readonly exchanges: readonly Exchange[]
  readonly deliveries: readonly Delivery[]
  readonly subscriptions: readonly Webhook[]
  readonly timeline: {
    readonly played: readonly PlayedEntry[]
    readonly left: number
    readonly upcoming: readonly { readonly name: string; readonly at: string }[]
  }
  readonly expectations: readonly ExpectationResult[]
  readonly gaps: readonly GapReading[]
  readonly reliances: readonly RelianceSummary[]
  readonly faults: readonly FaultRule[]
}

/** A world's facts as `GET /_sim/world` has them. */
interface RecordedWorld {
  readonly id: string
  readonly scenario: string
  readonly seed: number
  readonly start: string
  readonly now: string
  readonly clock: string
  readonly counts: Readonly<Record<'agents' | 'threads' | 'messages' | 'webhooks' | 'deliveries', number>>
}

interface RecordedConversation {
  readonly thread: MailboxThread
  readonly messages: readonly MailboxMessage[]
}

/** What a world holds at the end of a run; the report's own part is added when it is written. */
export type RecordedRun = Omit<Recording, 'title' | 'passed' | 'report'>

/** The most conversations that a recording keeps, those with the latest activity. */
const conversationLimit = 200

/** Records a world with secrets masked; the results of its expectations are those of this moment if none are given. */
export function recordWorld(simulator: Simulator, results?: readonly ExpectationResult[]): RecordedRun {
  const { id, scenario, seed, start, clock, mailbox, timeline, masker } = simulator
  const deliveries = simulator.deliveries.list()
  const { threads } = mailbox.threads({ limit: conversationLimit })
  const recorded: RecordedRun = {
    format: 'agent-mailbox-sim/recording',
    version: 1,
    world: {
      ...{ id, scenario, seed, start, now: clock.now(), clock: clock.mode },
      counts: { ...simulator.summary(), deliveries: deliveries.length },
    },
    agents: simulator.identities.list({ everywhere: true }),
    conversations: threads.map((thread) => mailbox.conversation(thread.id)),
    exchanges: simulator.journal.exchanges(),
    deliveries,
    subscriptions: simulator.webhooks.list({ everywhere: true }),
    timeline: { played: timeline.played(), left: timeline.left, upcoming: timeline.upcoming() },
    expectations: results ?? resultsNow(simulator),
    gaps: simulator.readings.register(),
    reliances: simulator.reliances(),
    faults: simulator.faults.list(),
  }
  return masker.content(recorded) as RecordedRun
}

function resultsNow(simulator: Simulator): readonly ExpectationResult[] {
  const checker = new ExpectationChecker(simulator)
  checker.close()
  return checker.results()
}
