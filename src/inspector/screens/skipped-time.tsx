import { counted, formatDuration } from '../../base/text.js'
import type { ReplayReport } from '../../runs/replay/outcome.js'
import type { TrialsReport } from '../../runs/trials/trials-summary.js'
import { Time } from '../parts.js'
import { recording } from '../recorded-source.js'
import type { AxisMark } from '../time-axis.js'

type Jump = NonNullable<NonNullable<ReplayReport['pace']>['jumps']>[number]

/** What was due at the end of a span that was skipped. */
const reasons: Readonly<Record<Jump['why'], string>> = {
  wait: 'a wait of the agent was over',
  entry: 'something of the story was due',
  end: 'the story was over',
}

/** Returns the spans of story time that were skipped in the play or trial that is shown; none if that is not known. */
function skippedSpans(): readonly Jump[] {
  const { report, trial } = recording.value ?? {}
  const { format, pace, runs } = Object(report) as Partial<ReplayReport & TrialsReport>
  if (format !== 'agent-mailbox-sim/replay-report') return []
  const shown = trial === undefined ? pace : runs?.find((run) => run.trial === trial)?.pace
  return shown?.jumps ?? []
}

/** Returns their marks on the axis. */
export function skippedMarks(): readonly AxisMark[] {
  return skippedSpans().map(({ from, to, why }) => {
    const label = `${formatDuration(Date.parse(to) - Date.parse(from))} skipped until ${reasons[why]}`
    return { kind: why === 'wait' ? 'waited' : 'rested', at: from, until: to, label }
  })
}

/** Renders in a table what the axis draws of skipped time. */
export function SkippedTime() {
  const spans = skippedSpans()
  if (spans.length === 0) return null
  return (
    <details>
      <summary>
        {counted(spans.length, 'span')} of story time skipped while the agent waited or rested
      </summary>
      <table>
        <caption>Skipped time</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Skipped</th>
          </tr>
        </thead>
        <tbody>
          {spans.map(({ from, to, why }, index) => (
            <tr key={index}>
              <td>
                <Time at={from} exact />
              </td>
              <td>
                <Time at={to} exact />
              </td>
              <td>
                {formatDuration(Date.parse(to) - Date.parse(from))}, until {reasons[why]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
