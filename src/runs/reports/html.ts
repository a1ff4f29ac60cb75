import { readFileSync } from 'node:fs'
import { builtFolder } from '../../base/package.js'
import { changesIn } from '../../doors/controls/log.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import type { ExpectationResult } from '../../story/expectations/kinds.js'
import type { Report } from './report.js'

/** All data in the HTML form of a report, as JSON inside the page. */
export interface Recording
  extends RecordedRun,
    Pick<Report, 'passed' | 'paragraphs' | 'table' | 'about' | 'findings' | 'output' | 'notes'> {
  /** The outcome in one line. */
  readonly title: string
  /** The JSON form of the report. */
  readonly report: object
}

/** The data of a world at the end of a run. */
type RecordedRun = ReturnType<typeof recordWorld> & {
  /** The number of the run, if there were several. */
  readonly trial?: number
  /** What was played, if there were several plays: `under refund-to-stranger`. */
  readonly play?: string
}

/**
 * Formats a report as a single page that needs neither a server nor a network.
 * @throws Error when the page was not built, or when the report has no recording
 */
export function formatHtml(report: Report): string {
  return pageWith(pageData(report), builtFolder())
}

/** Returns the inspector's page with its script, its style and some data in it. */
export function pageWith(data: object, folder: URL): string {
  const [page, script, style] = ['html', 'js', 'css'].map((ending) => {
    return readFileSync(new URL(`inspector/index.${ending}`, folder), 'utf8')
  }) as [string, string, string]
  // Inside a script element, `<` could begin a tag that ends the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return page
    .replace(/<script type="module"[^>]*><\/script>/, '')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
    .replace('id="recording"></script>', () => `id="recording">${json}</script>`)
    .replace('</body>', () => {
      return `<script type="module">${script.replaceAll('</script', '<\\/script')}</script></body>`
    })
}

/** Returns what the page of a report shows. @throws Error when the report has no recording */
export function pageData({ document, headline, recording, ...printed }: Report): object {
  if (!recording) throw new Error('There is no HTML page, because no run was recorded.')
  return { ...recording(), ...printed, title: headline, report: document }
}

/** The maximum number of conversations in a recording; those with the latest activity are kept. */
const conversationLimit = 200

/** Records a world with secrets masked, and the results of its expectations. */
export function recordWorld(simulator: Simulator, results: readonly ExpectationResult[]) {
  const { id, scenario, seed, start, clock, mailbox, timeline, masker, journal } = simulator
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
    deliveries,
    subscriptions: simulator.webhooks.list({ everywhere: true }),
    timeline: { played: timeline.played(), left: timeline.left, upcoming: timeline.upcoming() },
    expectations: results,
    gaps: simulator.assumptions.register(),
    reliances: simulator.reliances(),
    faults: simulator.faults.list(),
    changes: changesIn(simulator),
  }
  return { ...masker.content(recorded), exchanges: masker.secrets.maskedIn(journal.exchanges()) }
}
