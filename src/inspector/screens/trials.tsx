import { counted } from '../../base/text.js'
import type { RecordedRun } from '../../runs/reports/report.js'
import type { TrialsReport } from '../../runs/trials/trials-summary.js'
import type { ExpectationState } from '../data.js'
import { StatusBadge } from '../parts.js'
import { recording, showBeside, showPlay } from '../recorded-source.js'
import { href } from '../router.js'
import { ExpectationLine } from './story.js'

/** Renders the first trials that failed and passed, side by side. */
export function FirstTrials({ report: { runs } }: { report: TrialsReport }) {
  const shown = recording.value
  const columns = [shown, shown?.beside].flatMap((recorded) => {
    const run = runs.find(({ trial }) => trial === recorded?.trial)
    return recorded && run ? [{ recorded, run }] : []
  })
  columns.sort((one, other) => Number(one.run.passed) - Number(other.run.passed))
  return (
    <section aria-label="Side by side" class="grid">
      {columns.map(({ recorded, run: { trial, passed, not_judged, verdicts, command } }) => (
        <Column
          key={trial}
          title={`Trial ${trial}`}
          outcome={not_judged !== null ? 'not judged' : passed ? 'passed' : 'failed'}
          verdicts={verdicts}
          problem={command?.problem}
          recorded={recorded}
          onShow={trial === shown?.trial ? undefined : showBeside}
        />
      ))}
    </section>
  )
}

/** Renders the trial of two results that a comparison is about, before and after, side by side. */
export function ComparedTrials() {
  const shown = recording.value
  const columns = [shown, ...(shown?.others ?? [])].flatMap((recorded) => recorded ?? [])
  // The same place whichever of them the other screens show.
  columns.sort((one) => (one.play === 'before' ? -1 : 1))
  return (
    <section aria-label="Side by side" class="grid">
      {columns.map((recorded) => (
        <Column
          key={recorded.play}
          title={`Trial ${recorded.trial} ${recorded.play}`}
          outcome={recorded.expectations.every(({ passed }) => passed) ? 'passed' : 'failed'}
          verdicts={recorded.expectations}
          recorded={recorded}
          onShow={recorded.play === shown?.play ? undefined : () => showPlay(recorded)}
        />
      ))}
    </section>
  )
}

/** The most requests of a trial that are listed; the screen with the traffic has all. */
const requestLimit = 50

function Column({
  title,
  outcome,
  verdicts,
  problem,
  recorded: { exchanges },
  onShow,
}: {
  title: string
  outcome: 'passed' | 'failed' | 'not judged'
  verdicts: readonly ExpectationState[]
  problem?: string | null | undefined
  recorded: Pick<RecordedRun, 'exchanges'>
  /** Makes the other screens show it; undefined if they do. */
  onShow: (() => void) | undefined
}) {
  const isShown = onShow === undefined
  return (
    <article aria-label={title}>
      <h3>
        {title} <span class={`badge ${outcome === 'passed' ? 'succeeded' : 'failed'}`}>{outcome}</span>
      </h3>
      {isShown ? (
        <p class="quiet">The other screens show this trial.</p>
      ) : (
        <button type="button" onClick={onShow}>
          Show {title.toLowerCase()} on the other screens
        </button>
      )}
      <ul class="expectations">
        {verdicts.map((one) => (
          <ExpectationLine key={one.index} expectation={one} />
        ))}
      </ul>
      {problem != null && <p class="because">The command {problem}</p>}
      <h4>
        {counted(exchanges.length, 'request')}
        {exchanges.length > requestLimit && `, the first ${requestLimit}`}
      </h4>
      <ol>
        {exchanges.slice(0, requestLimit).map(({ seq, method, path, status }) => (
          <li key={seq}>
            {isShown ? (
              <a class="item" href={href('traffic', [String(seq)])}>
                {method} {path}
              </a>
            ) : (
              `${method} ${path}`
            )}{' '}
            <StatusBadge status={status} />
          </li>
        ))}
      </ol>
    </article>
  )
}
