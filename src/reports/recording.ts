import { ExpectationChecker } from '../expectations/expectation-checker.js'
import type { ExpectationResult } from '../expectations/tracker.js'
import type { Simulator } from '../simulator/simulator.js'

/** The data of a world at the end of a run, without the parts that are added when the report is written. */
export type RecordedRun = ReturnType<typeof recordWorld>

/** All data in the HTML form of a report, as JSON inside the page. */
export interface Recording extends RecordedRun {
  /** The outcome in one line. */
  readonly title: string
  readonly passed: boolean
  /** The JSON form of the report. */
  readonly report: object
}

/** The most conversations in a recording; those with the latest activity are kept. */
const conversationLimit = 200

/** Records a world with secrets masked; `results` are by default the current results of its expectations. */
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
