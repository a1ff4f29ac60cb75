import { counted } from '../../base/text.js'
import type { Exchange } from '../../service/world/exchange.js'
import { serverUrl } from '../control-api.js'
import { searchOf } from '../curl.js'
import type { GapInfo } from '../data.js'
import { KeptScroll } from '../kept-scroll.js'
import { changes, source } from '../live-state.js'
import {
  CopyButton,
  FieldList,
  Loaded,
  Notice,
  Prose,
  Source,
  StartBadge,
  StatusBadge,
  Time,
  ToolCallBadge,
} from '../parts.js'
import { curlOfExchange, expectationOfExchange, testOfExchange } from '../request-code.js'
import { useResource } from '../resource.js'
import { href, place, setQuery } from '../router.js'
import { ExchangeChanges } from './changed-rows.js'
import { AssumptionDiff } from './comparison.js'

/** Renders one exchange in full: request and response side by side, and what the response depends on. */
export function ExchangeView({ seq }: { seq: number }) {
  const exchange = useResource((from) => from.exchange(seq), [seq])
  return (
    <Loaded of={exchange}>
      {(found) =>
        found ? (
          <Details exchange={found} />
        ) : (
          <Notice>{`Request ${seq} is no longer in the journal.`}</Notice>
        )
      }
    </Loaded>
  )
}

function Details({ exchange }: { exchange: Exchange }) {
  const { seq, at, method, path, query, status, operation, duration_ms, via, start } = exchange
  const gaps = useResource((from) => from.gaps(), [], changes.assumptions)
  const compared = place.value.query.get('compare')?.split('=', 2) ?? []
  return (
    <>
      <header class="title">
        <h2>
          {method} {path}
          <span class="quiet">{searchOf(query)}</span> <StatusBadge status={status} />{' '}
          <StartBadge start={start} /> {via === 'mcp' && <ToolCallBadge />}
        </h2>
        <p class="quiet">
          {operation ?? 'no operation'} · request {seq} · <Time at={at} exact /> ·{' '}
          <span title="The wall time that the simulator took">{duration_ms} ms</span>
        </p>
        <Copies exchange={exchange} gaps={gaps.value ?? []} />
      </header>
      <Reasons exchange={exchange} />
      <div class="sides">
        <section class="side" aria-label="Request">
          <h3>Request</h3>
          <Request exchange={exchange} />
          <Gaps exchange={exchange} gaps={gaps.value ?? []} compared={compared} />
        </section>
        <section class="side" aria-label="Response">
          <h3>
            Response <StatusBadge status={status} />
          </h3>
          <Response exchange={exchange} compared={compared} />
        </section>
      </div>
      <ExchangeChanges seq={seq} />
      <KeptScroll part="exchange" />
    </>
  )
}

/** Renders the buttons that copy a request as code. */
function Copies({ exchange, gaps }: { exchange: Exchange; gaps: readonly GapInfo[] }) {
  const world = useResource((from) => from.world(), [])
  const expectation = expectationOfExchange(exchange)
  const relied = new Set<string>(exchange.reliances.map(({ gap }) => gap))
  const changed = gaps.filter(({ gap, from }) => from !== 'default' && relied.has(gap))
  const assumptions = Object.fromEntries(changed.map(({ gap, assumption }) => [gap, assumption]))
  const origin = source.value.live ? serverUrl : '$MAILBOX_BASE_URL'
  return (
    <div class="actions">
      <CopyButton text={curlOfExchange(exchange, origin)} label="Copy as curl" />
      {world.value && (
        <CopyButton text={testOfExchange(exchange, world.value.scenario, assumptions)} label="Copy as test" />
      )}
      {expectation !== undefined && <CopyButton text={expectation} label="Copy as expectation" />}
    </div>
  )
}

/** Renders what made the response unusual: a fault, a replay, a hidden mistake, or a path that matches no operation. */
function Reasons({ exchange: { fault, replayed, hints, near_miss } }: { exchange: Exchange }) {
  return (
    <>
      {fault !== null && (
        <section class="because" aria-label="Fault">
          <h3>Why this response: a fault</h3>
          <p>
            The fault <code>{fault.id}</code> disturbed this response.{' '}
            <a href={href('controls')}>See the faults in force</a>
          </p>
          <Source text={JSON.stringify(fault)} />
        </section>
      )}
      {replayed !== null && (
        <section class="because" aria-label="Replay">
          <h3>Why this response: it is a replay</h3>
          <p>
            An earlier request had the same <code>Idempotency-Key</code>, so this one had no effect and got
            the response of{' '}
            {replayed === 0 ? (
              'that one'
            ) : (
              <a href={href('traffic', [String(replayed)])}>request {replayed}</a>
            )}
            .
          </p>
        </section>
      )}
      {hints.length > 0 && (
        <section class="because" aria-label="Hints">
          <h3>What this response hides</h3>
          <ul>
            {hints.map((hint) => (
              <li key={hint}>{hint}</li>
            ))}
          </ul>
        </section>
      )}
      {near_miss !== null && (
        <section class="because" aria-label="No operation">
          <h3>Why this response: no operation matches</h3>
          <p>{near_miss}</p>
        </section>
      )}
    </>
  )
}

function Request({ exchange: { method, seq, query, request } }: { exchange: Exchange }) {
  return (
    <>
      <FieldList
        rows={Object.entries(query).map(([name, value]) => [`?${name}`, [value].flat().join(', ')])}
      />
      <Headers of={request.headers} />
      {request.body !== null && <Source text={request.body} />}
      {method !== 'GET' && <SentMessages seq={seq} />}
    </>
  )
}

function Headers({ of }: { of: Readonly<Record<string, string>> }) {
  return (
    <details>
      <summary>{counted(Object.keys(of).length, 'header')}</summary>
      <FieldList rows={Object.entries(of)} />
    </details>
  )
}

/** Renders links to the messages that a request sent. */
function SentMessages({ seq }: { seq: number }) {
  const sent = useResource((from) => from.sent(), [])
  const own = (sent.value ?? []).filter(({ exchange }) => exchange === seq)
  return (
    <>
      {own.map(({ id, agent_handle, thread_id, to, subject }) => (
        <p key={id}>
          <span class="badge sent">sent</span>{' '}
          <a href={href('mailbox', [agent_handle, thread_id], { show: 'sent', message: id })}>
            {subject === '' ? '(no subject)' : subject}
          </a>{' '}
          to {to.join(', ')}
        </p>
      ))}
    </>
  )
}

/** Renders the points that a response depends on, each with the assumptions to compare it under. */
function Gaps({
  exchange: { reliances, fault, replayed },
  gaps,
  compared,
}: {
  exchange: Exchange
  gaps: readonly GapInfo[]
  compared: readonly string[]
}) {
  if (reliances.length === 0) {
    if (fault !== null || replayed !== null) return null
    return (
      <p class="quiet">
        The interface guarantees this whole response: it is the same under every other assumption.
      </p>
    )
  }
  return (
    <section class="gaps" aria-label="Gaps">
      <h3>This response depends on {counted(reliances.length, 'gap')}</h3>
      <ul>
        {reliances.map(({ gap, assumption, instead }) => (
          <li key={gap}>
            <a href={href('gaps', [gap])}>{gap}</a> = <code>{assumption}</code>
            <p class="quiet">
              <Prose text={gaps.find((known) => known.gap === gap)?.question ?? ''} />
            </p>
            {source.value.live ? (
              <p class="compare">
                <span class="quiet">Compare under</span>
                {instead.map((other) => (
                  <CompareButton key={other} gap={gap} other={other} compared={compared} />
                ))}
              </p>
            ) : (
              <p>
                Other assumptions: <code>{instead.join(', ')}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function CompareButton({
  gap,
  other,
  compared,
}: {
  gap: string
  other: string
  compared: readonly string[]
}) {
  const isCompared = compared[0] === gap && compared[1] === other
  return (
    <button
      type="button"
      class="small"
      aria-label={`Compare under ${other}`}
      aria-pressed={isCompared}
      onClick={() => setQuery({ compare: isCompared ? '' : `${gap}=${other}` })}
    >
      {other}
    </button>
  )
}

/** Renders a response, or how it would differ under another assumption. */
function Response({ exchange, compared }: { exchange: Exchange; compared: readonly string[] }) {
  const { headers, body } = exchange.response
  const [gap, other] = compared
  if (gap !== undefined && other !== undefined && source.value.live) {
    return (
      <>
        <p>
          With <a href={href('gaps', [gap])}>{gap}</a> = <code>{other}</code>, it would be different.{' '}
          <button type="button" class="small" onClick={() => setQuery({ compare: '' })}>
            Show the response
          </button>
        </p>
        <AssumptionDiff exchange={exchange} gap={gap} other={other} />
      </>
    )
  }
  return (
    <>
      <Headers of={headers} />
      {body === null ? <p class="quiet">No body.</p> : <Source text={body} />}
    </>
  )
}
