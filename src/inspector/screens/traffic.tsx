import { useSignal } from '@preact/signals'
import { serverUrl } from '../control-api.js'
import type { ExchangeLine } from '../data.js'
import { connection, exchangeLines, source } from '../live-state.js'
import { Choice, Field, Notice, RequestMarks, StatusBadge, Time } from '../parts.js'
import { searchOf } from '../request-code.js'
import { href, place, setQuery } from '../router.js'
import { listStep, RowList } from '../row-list.js'
import { ExchangeView } from './exchange.js'

const statusKinds = [
  ['', 'Any'],
  ['2xx', '2xx success'],
  ['4xx', '4xx refused'],
  ['5xx', '5xx failed'],
  ['fault', 'Disturbed by a fault'],
  ['hint', 'Hides a mistake'],
  ['near-miss', 'Matches no operation'],
  ['mcp', 'Tool call (MCP)'],
] as const

/** Returns whether a line passes the filters in the address. */
function isWanted(line: ExchangeLine, filters: Readonly<Record<string, string>>): boolean {
  const { operation = '', status = '', gap = '' } = filters
  if (operation !== '' && line.operation !== operation) return false
  if (gap !== '' && !line.gaps.some((relied) => relied.includes(gap))) return false
  if (status === '') return true
  if (status === 'fault') return line.fault !== null
  if (status === 'hint') return line.hints.length > 0
  if (status === 'near-miss') return line.near_miss !== null
  if (status === 'mcp') return line.via === 'mcp'
  return `${Math.floor(line.status / 100)}xx` === status
}

/** Renders the list of requests as they happen, newest first, and the selected request in full. */
export function TrafficScreen() {
  const shown = useSignal(listStep)
  const { path, query } = place.value
  const [seq] = path
  const { compare: _, ...filters } = Object.fromEntries(query)
  const all = exchangeLines.value
  const lines = all.filter((line) => isWanted(line, filters)).toReversed()
  const operations = [...new Set(all.map(({ operation }) => operation))].filter((name) => name !== null)
  return (
    <div class={`split${seq === undefined ? '' : ' open'}`}>
      <section class="list-pane" aria-label="Requests">
        <form class="filters" onSubmit={(event) => event.preventDefault()}>
          <Choice
            label="Operation"
            value={filters['operation'] ?? ''}
            options={[['', 'Any'], ...operations.toSorted().map((name) => [name, name] as const)]}
            onChange={(operation) => setQuery({ operation })}
          />
          <Choice
            label="Status"
            value={filters['status'] ?? ''}
            options={statusKinds}
            onChange={(status) => setQuery({ status })}
          />
          <Field
            label="Gap"
            value={filters['gap'] ?? ''}
            placeholder="threads.total"
            onInput={(gap) => setQuery({ gap })}
          />
        </form>
        {lines.length === 0 ? (
          <Notice>{emptyText(all.length)}</Notice>
        ) : (
          <RowList
            label="Requests"
            of="requests"
            items={lines}
            shown={shown}
            row={(line) => ({
              key: String(line.seq),
              address: href('traffic', [String(line.seq)], filters),
              open: String(line.seq) === seq,
              content: <Line line={line} />,
            })}
          />
        )}
      </section>
      <section key={seq} class="pane" aria-label="Exchange">
        {seq === undefined ? (
          <Notice>
            Choose a request to see it in full, with its response and what the response depends on.
          </Notice>
        ) : (
          <>
            <a class="back" href={href('traffic', [], filters)}>
              ← Requests
            </a>
            <ExchangeView seq={Number(seq)} />
          </>
        )}
      </section>
    </div>
  )
}

function emptyText(kept: number): string {
  if (kept > 0) return 'No request matches these filters.'
  if (!source.value.live) return 'The client sent no requests.'
  return connection.value === 'open'
    ? `No requests yet. Point your client at ${serverUrl}, and its requests appear here.`
    : 'Connecting to the server…'
}

function Line({ line }: { line: ExchangeLine }) {
  const { at, method, path, query, status } = line
  return (
    <>
      <span class="line">
        <StatusBadge status={status} />
        <span class="fit">
          <b>{method}</b> {path}
          <span class="quiet">{searchOf(query)}</span>
        </span>
        <Time at={at} exact />
      </span>
      <RequestMarks line={line} />
    </>
  )
}
