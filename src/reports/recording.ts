import { ExpectationChecker } from '../expectations/expectation-checker.js'
import type { ExpectationResult } from '../expectations/tracker.js'
import type { Simulator } from '../simulator/simulator.js'

/** What a world holds at the end of a run; the report's own part is added when it is written. */
export type RecordedRun = ReturnType<typeof recordWorld>

/** Everything that a report shows of a world: the JSON in a page that needs no server. */
export interface Recording extends RecordedRun {
  /** The outcome in a line. */
  readonly title: string
  readonly passed: boolean
  /** The report as its JSON format has it. */
  readonly report: object
}

/** The most conversations that a recording keeps, those with the latest activity. */
const conversationLimit = 200

/** Records a world with secrets masked; the results of its expectations are those of this moment if none are given. */
export function recordWorld(simulator: Simulator, results?: readonly ExpectationResult[]) {
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
    exchanges: simulator.journal.exchanges(),
    deliveries,
    subscriptions: simulator.webhooks.list({ everywhere: true }),
    timeline: { played: timeline.played(), left: timeline.left, upcoming: timeline.upcoming() },
    expectations: results ?? resultsNow(simulator),
    gaps: simulator.readings.register(),
    reliances: simulator.reliances(),
    faults: simulator.faults.list(),
  }
  return masker.content(recorded) as typeof recorded
}

function resultsNow(simulator: Simulator): readonly ExpectationResult[] {
  const checker = new ExpectationChecker(simulator)
  checker.close()
  return checker.results()
}
