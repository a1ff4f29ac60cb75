import { computed } from '@preact/signals'
import { counted, grouped } from '../../base/text.js'
import { serverUrl } from '../control-api.js'
import { searchOf } from '../curl.js'
import type { ExchangeLine } from '../data.js'
import { connection, exchangeLines, source } from '../live-state.js'
import { Choice, Field, Notice, StartBadge, StatusBadge, Time, ToolCallBadge } from '../parts.js'
import { href, navigate, place, setQuery } from '../router.js'
import { VirtualList } from '../virtual-list.js'
import { ExchangeView } from './exchange.js'

const statusKinds = [
  ['', 'Any'],
  ['2xx', '2xx success'],
  ['4xx', '4xx refused'],
  ['5xx', '5xx failed'],
  ['fault', 'Disturbed by a fault'],
  ['near-miss', 'Matches no operation'],
  ['mcp', 'Tool call (MCP)'],
] as const

/** The exchanges that match the filters in the address, newest first. */
const visible = computed<readonly ExchangeLine[]>(() => {
  const { query } = place.value
  const [operation, status, gap] = ['operation', 'status', 'gap'].map((name) => query.get(name) ?? '')
  return exchangeLines.value
    .filter((line) => operation === '' || line.operation === operation)
    .filter((line) => gap === '' || line.gaps.some((relied) => relied.includes(gap as string)))
    .filter((line) => hasStatus(line, status as string))
    .toReversed()
})

function hasStatus({ status, fault, near_miss, via }: ExchangeLine, filter: string): boolean {
  if (filter === '') return true
  if (filter === 'fault') return fault !== null
  if (filter === 'near-miss') return near_miss !== null
  if (filter === 'mcp') return via === 'mcp'
  return `${Math.floor(status / 100)}xx` === filter
}

/** Renders the list of requests as they happen, and the selected request in full. */
export function TrafficScreen() {
  const { path, query } = place.value
  const [seq] = path
  const { compare: _, ...filters } = Object.fromEntries(query)
  const lines = visible.value
  const operations = [...new Set(exchangeLines.value.map(({ operation }) => operation))].filter(
    (name) => name !== null,
  )
  return (
    <div class={`split${seq === undefined ? '' : ' reading'}`}>
      <section class="list-pane" aria-label="Requests">
        <form class="filters" onSubmit={(event) => event.preventDefault()}>
          <Choice
            label="Operation"
            value={query.get('operation') ?? ''}
            options={[
              { value: '', label: 'Any' },
              ...operations.toSorted().map((name) => ({ value: name, label: name })),
            ]}
            onChange={(operation) => setQuery({ operation })}
          />
          <Choice
            label="Status"
            value={query.get('status') ?? ''}
            options={statusKinds.map(([value, label]) => ({ value, label }))}
            onChange={(status) => setQuery({ status })}
          />
          <Field
            label="Gap"
            value={query.get('gap') ?? ''}
            placeholder="threads.total"
            onInput={(gap) => setQuery({ gap })}
          />
        </form>
        <p class="count" role="status">
          {grouped(lines.length)} of {grouped(exchangeLines.value.length)} requests
        </p>
        {lines.length === 0 ? (
          <Notice>{emptyText(exchangeLines.value.length)}</Notice>
        ) : (
          <VirtualList
            label="Requests"
            count={lines.length}
            rowHeight={56}
            open={seq}
            selected={lines.findIndex((line) => String(line.seq) === seq)}
            onOpen={(index, first) => {
              navigate(href('traffic', [String(lines[index]?.seq)], filters), first)
            }}
            row={(index) => <Line line={lines[index] as ExchangeLine} />}
          />
        )}
      </section>
      <section class="pane" aria-label="Exchange">
        {seq === undefined ? (
          <Notice>
            Choose a request to see it in full, with its response and what the response depends on. Arrow
            keys, j and k move in the list. Enter opens.
          </Notice>
        ) : (
          <>
            <a class="back" href={href('traffic', [], filters)}>
              ← Requests
            </a>
            <ExchangeView key={seq} seq={Number(seq)} />
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
  const { at, method, path, query, status, gaps, fault, near_miss, via, start } = line
  return (
    <div class="exchange-line">
      <StatusBadge status={status} />
      <span class="line">
        <span class="fit">
          <b>{method}</b> {path}
        </span>
        <Time at={at} exact />
      </span>
      <span class="line">
        <span class="fit query">{searchOf(query)}</span>
        <span class="marks">
          <StartBadge start={start} />
          {via === 'mcp' && <ToolCallBadge />}
          {fault !== null && <span class="badge fault">fault</span>}
          {near_miss !== null && <span class="badge none">no operation</span>}
          {gaps.length > 0 && (
            <span class="badge gap" title={`The response depends on ${gaps.join(', ')}`}>
              {counted(gaps.length, 'gap')}
            </span>
          )}
        </span>
      </span>
    </div>
  )
}
