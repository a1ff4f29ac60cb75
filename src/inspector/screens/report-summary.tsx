import { counted } from '../../base/text.js'
import type { AttacksReport } from '../../runs/attacks/index.js'
import type { TrialsReport } from '../../runs/trials/index.js'
import type { GapInfo, StoryTimeline } from '../data.js'
import { KeptScroll } from '../kept-scroll.js'
import { exchangeLines } from '../live-state.js'
import { FieldList, Loaded, Prose, Source, StatusBadge, Time, UnmetExpectation } from '../parts.js'
import { recording } from '../recorded-source.js'
import { useResource } from '../resource.js'
import { href } from '../router.js'
import { Attacks } from './attacks.js'
import { Trials } from './trials.js'

/** The parts of a replay report that the summary reads; other reports lack them. */
interface ReplayParts extends Partial<Pick<TrialsReport, 'trials'>> {
  readonly command?: { readonly problem: string | null; readonly output: string } | null
  readonly timeline?: { readonly played: StoryTimeline['played'] }
}

/** The parts of an explore report that the summary reads. */
interface ExploreParts {
  readonly breaks?: readonly {
    readonly changes: Readonly<Record<string, string>>
    readonly why: string
    readonly advice: Readonly<Record<string, string>>
  }[]
}

/** The parts of a fuzz report that the summary reads. */
interface FuzzParts {
  readonly findings?: readonly {
    readonly story: readonly string[]
    readonly why: string
    readonly advice: string
    readonly again: string
    readonly steady: boolean | null
  }[]
}

/** Renders the first screen of a report: what failed, and where to look. */
export function ReportSummary() {
  const expectations = useResource((from) => from.expectations(), [])
  const gaps = useResource((from) => from.gaps(), [])
  const sent = useResource((from) => from.sent(), []).value ?? []
  const data = recording.value
  if (!data) return <p>This page has no recording.</p>
  const report = data.report as ReplayParts & ExploreParts & FuzzParts
  const trials = report.trials && (data.report as TrialsReport)
  const { command, timeline }: ReplayParts = trials?.runs.find(({ trial }) => trial === data.trial) ?? report
  const failed = (expectations.value ?? []).filter(({ passed }) => !passed)
  const disturbed = exchangeLines.value.filter(({ fault }) => fault !== null)
  const toolCalls = data.exchanges.filter(({ via }) => via === 'mcp').length
  const problems = (timeline?.played ?? []).filter(({ problem }) => problem !== null)
  return (
    <div class="page">
      <h2>
        {data.title}{' '}
        <span class={`badge ${data.passed ? 'succeeded' : 'failed'}`}>
          {data.passed ? 'passed' : 'failed'}
        </span>
      </h2>
      <FieldList
        rows={[
          ['Scenario', `${data.world.scenario}, seed ${data.world.seed}`],
          [
            'Requests',
            `${data.exchanges.length}${toolCalls > 0 ? `, of which ${counted(toolCalls, 'tool call')}` : ''}`,
          ],
          ['Deliveries', String(data.deliveries.length)],
        ]}
      />
      {trials && <Trials report={trials} />}
      {'matrix' in report && <Attacks report={data.report as AttacksReport} />}
      {data.play !== undefined && (
        <p class="quiet">{`The other screens, and what follows here, show run ${data.trial} ${data.play}.`}</p>
      )}
      {command?.problem != null && (
        <section class="because" aria-label="Command">
          <h3>The command</h3>
          <p>{command.problem}</p>
          {command.output !== '' && <Source text={command.output} />}
        </section>
      )}
      {failed.length > 0 && !trials && data.play === undefined && (
        <section aria-label="Failed expectations">
          <h3>Failed expectations</h3>
          <ul class="expectations">
            {failed.map((expectation) => (
              <li key={expectation.index} class="failed">
                <strong>✗ {expectation.describe}</strong>
                <UnmetExpectation expectation={expectation} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {problems.length > 0 && (
        <section aria-label="Timeline problems">
          <h3>Timeline entries that could not be played as written</h3>
          <ul>
            {problems.map(({ name, at, problem }) => (
              <li key={name}>
                <Time at={at} exact /> {name}: {problem}
              </li>
            ))}
          </ul>
        </section>
      )}
      {(report.breaks ?? []).length > 0 && <Breaks report={report} gaps={gaps.value ?? []} />}
      {(report.findings ?? []).length > 0 && <Stories findings={report.findings ?? []} />}
      {sent.length > 0 && (
        <section aria-label="Sent messages">
          <h3>{counted(sent.length, 'sent message')}</h3>
          <ul>
            {sent.slice(0, 50).map(({ id, agent_handle, thread_id, to, subject }) => (
              <li key={id}>
                {agent_handle} → {to.join(', ')}:{' '}
                <a
                  class="item"
                  href={href('mailbox', [agent_handle, thread_id], { show: 'sent', message: id })}
                >
                  {subject === '' ? '(no subject)' : subject}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {disturbed.length > 0 && (
        <section aria-label="Disturbed requests">
          <h3>Requests that a fault disturbed</h3>
          <ul>
            {disturbed.slice(0, 50).map(({ seq, method, path, status, fault }) => (
              <li key={seq}>
                <a class="item" href={href('traffic', [String(seq)])}>
                  {method} {path}
                </a>{' '}
                <StatusBadge status={status} /> {fault}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-label="Gaps">
        <h3>What the responses depend on, although the interface does not guarantee it</h3>
        <Loaded
          of={useResource((from) => from.reliances(), [])}
          empty="Nothing: the interface guarantees every response."
        >
          {(list) => (
            <ul>
              {list.map(({ gap, reading, count }) => (
                <li key={gap}>
                  <a class="item" href={href('gaps', [gap])}>
                    {gap}
                  </a>{' '}
                  = <code>{reading}</code>, {counted(count, 'response')}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </section>
      <KeptScroll part="report" />
    </div>
  )
}

function Stories({ findings }: Required<FuzzParts>) {
  return (
    <section aria-label="Stories that break the client">
      <h3>Stories that break the client</h3>
      {findings[0]?.steady && <p>This page shows the replay of the first one.</p>}
      {findings.map(({ story, why, advice, again }, index) => (
        <article key={index} class="gap">
          <ul>
            {story.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p class="because">{why}</p>
          <p>
            <Prose text={advice} />
          </p>
          <Source text={again} />
        </article>
      ))}
    </section>
  )
}

function Breaks({ report, gaps }: { report: ExploreParts; gaps: readonly GapInfo[] }) {
  const meaning = (gap: string, reading: string): string => {
    const readings = gaps.find((known) => known.gap === gap)?.readings ?? []
    return readings.find(({ name }) => name === reading)?.means ?? ''
  }
  return (
    <section aria-label="Readings that break the client">
      <h3>Readings that break the client</h3>
      {(report.breaks ?? []).map(({ changes, why, advice }, index) => (
        <article key={index} class="gap">
          {Object.entries(changes).map(([gap, reading]) => (
            <p key={gap}>
              <a href={href('gaps', [gap])}>{gap}</a> = <code>{reading}</code>:{' '}
              <Prose text={meaning(gap, reading)} />{' '}
              <a href={href('traffic', [], { gap })}>Requests whose responses depend on it</a>
            </p>
          ))}
          <p class="because">{why}</p>
          {Object.entries(advice).map(([gap, text]) => (
            <p key={gap}>
              <Prose text={text} />
            </p>
          ))}
        </article>
      ))}
    </section>
  )
}
