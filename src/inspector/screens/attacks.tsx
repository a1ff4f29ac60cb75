import { counted } from '../../base/text.js'
import type {
  AttackExample,
  AttackOutcome,
  AttacksReport,
  PlayName,
  Tally,
} from '../../runs/attacks/index.js'
import { FieldList, Source } from '../parts.js'
import { hasPlay, showPlay } from '../recorded-source.js'
import { href } from '../router.js'

/** Renders what became of each attack, by carrier and goal too, and the mail of those that were obeyed. */
export function Attacks({ report }: { report: AttacksReport }) {
  const { attacks, broken, met, obeyed, pairs, utility, utility_under_attack: underAttack } = report
  return (
    <>
      <section aria-label="Attacks">
        <h3>{`Attacks: ${obeyed.held} of ${obeyed.of} that reached the agent were obeyed; ${shareOf(met)} reached it`}</h3>
        <FieldList
          rows={[
            [
              'Utility',
              `${shareOf(utility)} runs did the work without attacks, or with harmless counterparts`,
            ],
            ['Under attack', `${shareOf(underAttack)} runs did the work`],
            ...(pairs.of > 0
              ? [['Played', `${pairs.played} of ${pairs.of} pairs of a carrier and a goal`] as const]
              : []),
          ]}
        />
        <Matrix report={report} />
        <table>
          <caption>What became of each attack</caption>
          <thead>
            <tr>
              <th scope="col">Attack</th>
              <th scope="col">Served</th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {attacks.map((attack) => (
              <Outcome key={attack.name} attack={attack} />
            ))}
          </tbody>
        </table>
      </section>
      {broken.length > 0 && (
        <section aria-label="What failed">
          <h3>What failed, and in which play</h3>
          <ul class="expectations">
            {broken.map((one, index) => (
              <li key={index} class="failed">
                <strong>✗ {one.describe}</strong>
                <div>
                  {one.of > 1 && `Held in ${one.held} of ${one.of} runs ${one.play}. `}
                  Run {one.trial} {one.play}: found {one.found} <PlayLink of={one} request={one.exchange} />
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {attacks.some(({ example }) => example) && (
        <section aria-label="Obeyed attacks">
          <h3>What the agent did</h3>
          {attacks.map(({ name, describe, example }) => {
            return example && <Example key={name} name={name} describe={describe} example={example} />
          })}
        </section>
      )}
    </>
  )
}

/** Renders where to look in the play that a line names: its request, or a way to show that play on the other screens. */
function PlayLink({ of, request }: { of: PlayName; request: number | null }) {
  const has = hasPlay(of)
  if (has === 'recorded') {
    return (
      <button type="button" onClick={() => showPlay(of)}>
        Show run {of.trial} {of.play} on the other screens
      </button>
    )
  }
  if (has === undefined || request === null) return null
  return <a href={href('traffic', [String(request)])}>request {request}</a>
}

function shareOf({ held, of }: Tally): string {
  return `${held} of ${of}`
}

const verdicts = {
  obeyed: ['failed', 'obeyed'],
  resisted: ['succeeded', 'resisted'],
  'not-met': ['none', 'not met'],
} as const

function Outcome({ attack }: { attack: AttackOutcome }) {
  const { name, describe, carrier, goal, verdict, served, runs, obeyed } = attack
  const [kind, label] = verdicts[verdict]
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        {carrier !== null && goal !== null && name !== `${carrier}-${goal}` && (
          <small>
            {' '}
            {carrier} → {goal}
          </small>
        )}
        <div class="quiet">{describe}</div>
      </td>
      <td>{`${served} of ${runs}`}</td>
      <td>
        <span class={`badge ${kind}`}>{label}</span> {served > 1 && <small>{`${obeyed} of ${served}`}</small>}
      </td>
    </tr>
  )
}

/** Renders how many attacks of each carrier and goal were obeyed, of those that reached the agent. */
function Matrix({ report: { matrix } }: { report: AttacksReport }) {
  const carriers = [...new Set(matrix.map(({ carrier }) => carrier))]
  const goals = [...new Set(matrix.map(({ goal }) => goal))]
  if (carriers.length < 2 && goals.length < 2) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard.
    <section class="scroll" tabIndex={0} aria-label="Attacks by carrier and goal">
      <table class="matrix">
        <caption>Obeyed, of those that reached the agent</caption>
        <thead>
          <tr>
            <th scope="col">Carrier</th>
            {goals.map((goal) => (
              <th key={goal} scope="col">
                {goal}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {carriers.map((carrier) => (
            <tr key={carrier}>
              <th scope="row">{carrier}</th>
              {goals.map((goal) => {
                const cell = matrix.find((one) => one.carrier === carrier && one.goal === goal)
                if (!cell) return <td key={goal} />
                const kind = cell.obeyed > 0 ? 'removed' : cell.met > 0 ? 'added' : 'quiet'
                return (
                  <td key={goal} class={kind}>
                    {cell.met === 0 ? 'not met' : `${cell.obeyed} of ${cell.met}`}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Renders the mail of an attack that was obeyed, as the agent got it, and what the agent then did. */
function Example({ name, describe, example }: { name: string; describe: string; example: AttackExample }) {
  const { trial, play, mails, did, request } = example
  return (
    <details>
      <summary>
        <strong>{name}</strong>, run {trial} {play}: {did}
      </summary>
      <p>{describe}</p>
      {mails.map(({ from, subject, text, html, files }, index) => (
        <article key={index} class="message" aria-label={`Message from ${from}`}>
          <FieldList
            rows={[
              ['From', from],
              ['Subject', subject],
              ...(files.length > 0 ? [[counted(files.length, 'file'), files.join(', ')] as const] : []),
            ]}
          />
          {[text, html].map((body, part) => body && <Source key={part} text={body} />)}
        </article>
      ))}
      <p class="because">
        {did} <PlayLink of={example} request={request?.seq ?? null} />
      </p>
      {request && (
        <>
          <p>
            Request {request.seq}:{' '}
            <code>
              {request.method} {request.path}
            </code>
          </p>
          <Source text={request.body} />
        </>
      )}
    </details>
  )
}
