import { counted } from '../../base/text.js'
import type { Finding, Table, TableCell } from '../../runs/reports/report.js'
import type { ExchangeLine } from '../data.js'
import { exchangeLines } from '../live-state.js'
import { FieldList, Loaded, Prose, Source } from '../parts.js'
import { recording } from '../recorded-source.js'
import { useResource } from '../resource.js'
import { href, requestHref } from '../router.js'

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

/** Renders what explains an outcome. */
function Paragraphs({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.map((text) => (
        <p key={text}>
          <Prose text={text} />
        </p>
      ))}
    </>
  )
}

function RequestLink({ seq }: { seq: number | null | undefined }) {
  return seq == null ? null : <a href={requestHref(seq)}>request {seq}</a>
}

/** Renders a table of the report, in which wide ones scroll. */
function ReportTable({ table: { title, subject, columns, rows } }: { table: Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard.
    <section class="scroll" tabIndex={0} aria-label={title}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {[subject, ...columns].map((name, index) => {
              return name === '' ? (
                <td key={index} />
              ) : (
                <th key={index} scope="col">
                  {name}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <Cell key={index} cell={cell} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const badges = { passed: 'succeeded', failed: 'failed', unsure: 'pending', none: 'none' }

function Cell({ cell: { text, tone } }: { cell: TableCell }) {
  return <td>{tone ? <span class={`badge ${badges[tone]}`}>{text}</span> : text}</td>
}

/** Renders what failed, with where to look. */
function Failures({ of }: { of: readonly Finding[] }) {
  const failed = of.filter(({ passed }) => !passed)
  if (failed.length === 0) return null
  return (
    <section aria-label="What failed">
      <h3>What failed</h3>
      <ul class="expectations">
        {failed.map(({ title, details, exchange, gaps = [] }, index) => (
          <li key={index} class="failed">
            <strong>✗ {title}</strong> <RequestLink seq={exchange} />
            {gaps.map((gap) => (
              <p key={gap}>
                <a href={href('gaps', [gap])}>{gap}</a>:{' '}
                <a href={href('traffic', [], { gap })}>requests whose responses depend on it</a>
              </p>
            ))}
            <FieldList rows={labelled(details)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns details with the lines that continue them. */
function labelled(details: Finding['details']) {
  const groups: [string, string][] = []
  for (const [label, text] of details) {
    const last = groups.at(-1)
    if (label === '' && last) last[1] += `\n${text}`
    else groups.push([label, text])
  }
  return groups.map(([label, text]) => [label, <Prose key={label} text={text} />] as const)
}
