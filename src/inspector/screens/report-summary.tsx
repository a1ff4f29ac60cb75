import { counted } from '../../base/text.js'
import type { AttacksReport } from '../../runs/attacks/attacks-summary.js'
import type { TrialsReport } from '../../runs/trials/trials-summary.js'
import { KeptScroll } from '../kept-scroll.js'
import { exchangeLines } from '../live-state.js'
import { FieldList, Loaded, Source, StatusBadge } from '../parts.js'
import { recording } from '../recorded-source.js'
import { useResource } from '../resource.js'
import { href } from '../router.js'
import { ObeyedAttacks } from './attacks.js'
import { Failures, Paragraphs, ReportTable } from './report-parts.js'
import { ComparedTrials, FirstTrials } from './trials.js'

/** Renders the first screen of a report: what failed, and where to look. */
export function ReportSummary() {
  const sent = useResource((from) => from.sent(), []).value ?? []
  const data = recording.value
  if (!data) return <p>This page has no recording.</p>
  const report = data.report as Partial<TrialsReport & AttacksReport>
  const { title, passed, paragraphs = [], table, findings, output, notes } = data
  const disturbed = exchangeLines.value.filter(({ fault }) => fault !== null)
  const toolCalls = data.exchanges.filter(({ via }) => via === 'mcp').length
  return (
    <div class="page">
      <h2>
        {title} <span class={`badge ${passed ? 'succeeded' : 'failed'}`}>{passed ? 'passed' : 'failed'}</span>
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
      <Paragraphs of={paragraphs} />
      {table && <ReportTable table={table} />}
      <Failures of={findings} />
      {report.trials && <FirstTrials report={report as TrialsReport} />}
      {(data.report as { format?: string }).format === 'agent-mailbox-sim/comparison' && <ComparedTrials />}
      {report.attacks && <ObeyedAttacks report={report as AttacksReport} />}
      {output && (
        <>
          <h3>{output.title}</h3>
          <Source text={output.text} />
        </>
      )}
      {notes.length > 0 && <Paragraphs of={notes.map((note) => `Note: ${note}`)} />}
      {data.play !== undefined && (
        <p class="quiet">
          {`The other screens, and what follows here, show ${data.trial ? `run ${data.trial}` : 'the run'} ${data.play}.`}
        </p>
      )}
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
              {list.map(({ gap, assumption, count }) => (
                <li key={gap}>
                  <a class="item" href={href('gaps', [gap])}>
                    {gap}
                  </a>{' '}
                  = <code>{assumption}</code>, {counted(count, 'response')}
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
