import { counted } from '../../base/text.js'
import type { RecordedRun } from '../../runs/reports/index.js'
import type { TrialRun, TrialsReport } from '../../runs/trials/index.js'
import { StatusBadge } from '../parts.js'
import { recording, showBeside } from '../recorded-source.js'
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
      {columns.map(({ recorded, run }) => (
        <Column key={run.trial} recorded={recorded} run={run} isShown={run.trial === shown?.trial} />
      ))}
    </section>
  )
}

/** The most requests of a trial that are listed; the screen with the traffic has all. */
const requestLimit = 50

function Column({ recorded, run, isShown }: { recorded: RecordedRun; run: TrialRun; isShown: boolean }) {
  const { trial, passed, verdicts, command } = run
  const { exchanges } = recorded
  const outcome = run.not_judged !== null ? 'not judged' : passed ? 'passed' : 'failed'
  return (
    <article aria-label={`Trial ${trial}`}>
      <h3>
        Trial {trial} <span class={`badge ${passed ? 'succeeded' : 'failed'}`}>{outcome}</span>
      </h3>
      {isShown ? (
        <p class="quiet">The other screens show this trial.</p>
      ) : (
        <button type="button" onClick={showBeside}>
          Show trial {trial} on the other screens
        </button>
      )}
      <ul class="expectations">
        {verdicts.map((one) => (
          <ExpectationLine key={one.index} expectation={one} />
        ))}
      </ul>
      {command?.problem != null && <p class="because">The command {command.problem}</p>}
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
