import type { Finding, Table, TableCell } from '../../runs/reports/report.js'
import { FieldList, Prose } from '../parts.js'
import { href, requestHref } from '../router.js'

/** Renders what explains an outcome. */
export function Paragraphs({ of }: { of: readonly string[] }) {
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
export function ReportTable({ table: { title, subject, columns, rows } }: { table: Table }) {
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
export function Failures({ of }: { of: readonly Finding[] }) {
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
