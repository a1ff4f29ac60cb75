import { counted } from '../../base/text.js'
import type { SentInfo } from '../data.js'
import { exchangeLines } from '../live-state.js'
import { FieldList, Loaded, Source, StatusBadge } from '../parts.js'
import { recording } from '../recorded-source.js'
import { useResource } from '../resource.js'
import { href, requestHref } from '../router.js'
import { Failures, Paragraphs, ReportTable } from './report-parts.js'

/** Renders the first screen of a report: what failed, and where to look. */
export function ReportSummary() {
  const sent = useResource((from) => from.sent()).value ?? []
  const reliances = useResource((from) => from.reliances())
  const data = recording.value
  if (!data) return <p>This page has no recording.</p>
  const { title, passed, paragraphs = [], table, about, findings, output, notes, world, play, trial } = data
  const toolCalls = data.exchanges.filter(({ via }) => via === 'mcp').length
  return (
    <div class="page">
      <h2>
        {title} <span class={`badge ${passed ? 'succeeded' : 'failed'}`}>{passed ? 'passed' : 'failed'}</span>
      </h2>
      <FieldList
        rows={[
          ['Scenario', `${world.scenario}, seed ${world.seed}`],
          [
            'Requests',
            `${data.exchanges.length}${toolCalls > 0 ? `, of which ${counted(toolCalls, 'tool call')}` : ''}`,
          ],
          ['Deliveries', String(data.deliveries.length)],
        ]}
      />
      <Paragraphs of={paragraphs} />
      {table && <ReportTable table={table} />}
      {about !== undefined && <p>{about}</p>}
      <Failures of={findings} />
      {output && (
        <>
          <h3>{output.title}</h3>
          <Source text={output.text} />
        </>
      )}
      <Paragraphs of={notes.map((note) => `Note: ${note}`)} />
      {(play !== undefined || trial !== undefined) && (
        <p class="quiet">
          {`The other screens, and what follows here, show ${trial === undefined ? 'the run' : `run ${trial}`} ${play ?? ''}`.trim()}
          .
        </p>
      )}
      <Sent messages={sent} />
      <Disturbed />
      <section aria-label="Gaps">
        <h3>What the responses depend on, although the interface does not guarantee it</h3>
        <Loaded of={reliances} empty="Nothing: the interface guarantees every response.">
          {(list) => (
            <ul>
              {list.map(({ gap, assumption, count }) => (
                <li key={gap}>
                  <a href={href('gaps', [gap])}>{gap}</a> = <code>{assumption}</code>,{' '}
                  {counted(count, 'response')}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </section>
    </div>
  )
}

/** The most lines of a list in the summary; the other screens have all. */
const lineLimit = 50

function Sent({ messages }: { messages: readonly SentInfo[] }) {
  if (messages.length === 0) return null
  return (
    <section aria-label="Sent messages">
      <h3>{counted(messages.length, 'sent message')}</h3>
      <ul>
        {messages.slice(0, lineLimit).map(({ id, agent_handle, thread_id, to, subject }) => (
          <li key={id}>
            {agent_handle} → {to.join(', ')}:{' '}
            <a href={href('mailbox', [agent_handle, thread_id], { show: 'sent', message: id })}>
              {subject === '' ? '(no subject)' : subject}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Disturbed() {
  const disturbed = exchangeLines.value.filter(({ fault }) => fault !== null)
  if (disturbed.length === 0) return null
  return (
    <section aria-label="Disturbed requests">
      <h3>Requests that a fault disturbed</h3>
      <ul>
        {disturbed.slice(0, lineLimit).map(({ seq, method, path, status, fault }) => (
          <li key={seq}>
            <a href={requestHref(seq)}>
              {method} {path}
            </a>{' '}
            <StatusBadge status={status} /> {fault}
          </li>
        ))}
      </ul>
    </section>
  )
}
