import { counted } from '../../base/text.js'
import type { RecordedRun } from '../../runs/reports/index.js'
import type { Interval, TrialRun, TrialsReport } from '../../runs/trials/index.js'
import { StatusBadge } from '../parts.js'
import { recording, showBeside } from '../recorded-source.js'
import { href } from '../router.js'
import { Expectation } from './story.js'

/** Renders how often each expectation held, and the first trials that failed and passed, side by side. */
export function Trials({ report }: { report: TrialsReport }) {
  const { trials, expectations, runs } = report
  const shown = recording.value
  const columns = [shown, shown?.beside].flatMap((recorded) => {
    const run = runs.find(({ trial }) => trial === recorded?.trial)
    return recorded && run ? [{ recorded, run }] : []
  })
  columns.sort((one, other) => Number(one.run.passed) - Number(other.run.passed))
  return (
    <>
      <section aria-label="Trials">
        <h3>{`Trials: ${trials.passed} of ${trials.judged} passed`}</h3>
        <p>
          {`95 % interval ${percents(trials.interval)}`}
          {runs.length > trials.judged && `; ${runs.length - trials.judged} could not be judged`}
        </p>
        <table>
          <caption>How often each expectation held</caption>
          <thead>
            <tr>
              <th scope="col">Expectation</th>
              <th scope="col">Held</th>
              <th scope="col">95 % interval</th>
            </tr>
          </thead>
          <tbody>
            {expectations.map(({ index, describe, held, of, interval }) => (
              <tr key={index}>
                <td>{describe}</td>
                <td>{`${held} of ${of}`}</td>
                <td>{percents(interval)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section aria-label="Side by side" class="grid">
        {columns.map(({ recorded, run }) => (
          <Column key={run.trial} recorded={recorded} run={run} isShown={run.trial === shown?.trial} />
        ))}
      </section>
    </>
  )
}

function percents([low, high]: Interval): string {
  return `${Math.round(100 * low)}–${Math.round(100 * high)} %`
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
          <Expectation key={one.index} expectation={one} />
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
