import { counted } from '../../base/text.js'
import type { ExchangeLine } from '../data.js'
import { exchangeLines } from '../live-state.js'
import { FieldList, Loaded, Source } from '../parts.js'
import { recording } from '../recorded-source.js'
import { useResource } from '../resource.js'
import { href } from '../router.js'
import { Failures, Paragraphs, ReportTable } from './report-parts.js'

/** Renders the first screen of a report: what failed, and where to look. */
export function ReportSummary() {
  const sent = useResource((from) => from.sent()).value ?? []
  const reliances = useResource((from) => from.reliances())
  const data = recording.value
  if (!data) return <p>This page has no recording.</p>
  const { title, passed, paragraphs = [], table, about, findings, output, notes, world, play, trial } = data
  const lines = exchangeLines.value
  const countOf = (isWanted: (line: ExchangeLine) => boolean) => lines.filter(isWanted).length
  return (
    <div class="page">
      <h2>
        {title} <span class={`badge ${passed ? 'succeeded' : 'failed'}`}>{passed ? 'passed' : 'failed'}</span>
      </h2>
      <FieldList
        rows={[
          ['Scenario', `${world.scenario}, seed ${world.seed}`],
          ['Requests', <a href={href('traffic')}>{lines.length}</a>],
          ['By tools', <Requests key="mcp" status="mcp" count={countOf(({ via }) => via === 'mcp')} />],
          [
            'Disturbed',
            <Requests key="fault" status="fault" count={countOf(({ fault }) => fault !== null)} />,
          ],
          ['Sent', <a href={href('mailbox', [], { show: 'sent' })}>{counted(sent.length, 'message')}</a>],
          ['Deliveries', <a href={href('deliveries')}>{data.deliveries.length}</a>],
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

/** Renders a number of requests, which leads to them. */
function Requests({ status, count }: { status: string; count: number }) {
  return count === 0 ? <>none</> : <a href={href('traffic', [], { status })}>{counted(count, 'request')}</a>
}
