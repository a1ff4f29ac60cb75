import { counted } from '../../base/text.js'
import type { Exchange } from '../../service/world/exchange.js'
import { serverUrl } from '../control-api.js'
import { type GapInfo, lineOf } from '../data.js'
import { source } from '../live-state.js'
import {
  CopyButton,
  FieldList,
  Headers,
  Loaded,
  Notice,
  Prose,
  RequestMarks,
  Source,
  StatusBadge,
  settingsOf,
  Time,
} from '../parts.js'
import { curlOfExchange, expectationOfExchange, searchOf } from '../request-code.js'
import { useResource, useStable } from '../resource.js'
import { href, place, requestHref } from '../router.js'
import { ExchangeChanges } from './changed-rows.js'
import { AssumptionDiff } from './diff.js'

/** Renders one exchange in full: what its response depends on, request and response side by side, and what it changed. */
export function ExchangeView({ seq }: { seq: number }) {
  const exchange = useStable(async (from) => (await from.exchange(seq)) ?? null, [seq])
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
  const { seq, at, method, path, query, status, operation, duration_ms, request, response } = exchange
  const expectation = expectationOfExchange(exchange)
  const origin = source.value.live ? serverUrl : '$MAILBOX_BASE_URL'
  return (
    <>
      <header class="title">
        <h2>
          {method} {path}
          <span class="quiet">{searchOf(query)}</span> <StatusBadge status={status} />
        </h2>
        <p class="quiet">
          {operation ?? 'no operation'} · request {seq} · <Time at={at} exact /> ·{' '}
          <span title="The wall time that the simulator took">{duration_ms} ms</span>{' '}
          <RequestMarks line={lineOf(exchange)} />
        </p>
        <div class="actions">
          <CopyButton text={curlOfExchange(exchange, origin)} label="Copy as curl" />
          {expectation !== undefined && <CopyButton text={expectation} label="Copy as expectation" />}
        </div>
      </header>
      <Reasons exchange={exchange} />
      <Gaps exchange={exchange} />
      <div class="sides">
        <section class="side" aria-label="Request">
          <h3>Request</h3>
          <FieldList
            rows={Object.entries(query).map(([name, value]) => [`?${name}`, [value].flat().join(', ')])}
          />
          <Headers of={request.headers} />
          {request.body !== null && <Source text={request.body} />}
          {method !== 'GET' && <SentMessages seq={seq} />}
        </section>
        <section class="side" aria-label="Response">
          <h3>
            Response <StatusBadge status={status} />
          </h3>
          <Headers of={response.headers} />
          {response.body === null ? <p class="quiet">No body.</p> : <Source text={response.body} />}
        </section>
      </div>
      <ExchangeChanges seq={seq} />
    </>
  )
}

/** Renders what made the response unusual: a fault, a repetition, a hidden mistake, or a path that matches no operation. */
function Reasons({ exchange: { fault, replayed, hints, near_miss } }: { exchange: Exchange }) {
  return (
    <>
      {fault !== null && (
        <section class="because" aria-label="Fault">
          <h3>Why this response: a fault</h3>
          <p>
            The fault <code>{fault.id}</code> disturbed this response.{' '}
            {source.value.live && <a href={href('controls')}>See the faults in force</a>}
          </p>
          <FieldList rows={settingsOf(fault)} />
        </section>
      )}
      {replayed !== null && (
        <section class="because" aria-label="Replay">
          <h3>Why this response: it is a replay</h3>
          <p>
            An earlier request had the same <code>Idempotency-Key</code>, so this one had no effect and got
            the response of{' '}
            {replayed === 0 ? 'that one' : <a href={requestHref(replayed)}>request {replayed}</a>}.
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

/** Renders links to the messages that a request sent. */
function SentMessages({ seq }: { seq: number }) {
  const sent = useStable((from) => from.sent(), [seq])
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
function Gaps({ exchange }: { exchange: Exchange }) {
  const gaps = useResource((from) => from.gaps())
  const { reliances, fault, replayed } = exchange
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
        {reliances.map((reliance) => (
          <GapLine key={reliance.gap} exchange={exchange} reliance={reliance} gaps={gaps.value ?? []} />
        ))}
      </ul>
    </section>
  )
}

/** Renders a gap and its assumption and, if one is chosen, how the response would differ under another. */
function GapLine({
  exchange,
  reliance: { gap, assumption, instead },
  gaps,
}: {
  exchange: Exchange
  reliance: Exchange['reliances'][number]
  gaps: readonly GapInfo[]
}) {
  const { path, query } = place.value
  const { compare = '', ...others } = Object.fromEntries(query)
  const compared = instead.find((other) => compare === `${gap}=${other}`)
  const question = gaps.find((known) => known.gap === gap)?.question ?? ''
  const { live } = source.value
  return (
    <li>
      <div class="compare">
        <a href={href('gaps', [gap])} title={question}>
          {gap}
        </a>
        <span>
          = <code>{assumption}</code>
        </span>
        <span class="quiet">{live ? 'Compare under' : 'Other assumptions:'}</span>
        {instead.map((other) => {
          if (!live) return <code key={other}>{other}</code>
          const isOpen = other === compared
          return (
            <a
              key={other}
              class="badge"
              aria-label={`Compare under ${other}`}
              aria-current={isOpen ? 'true' : undefined}
              href={href('traffic', path, { ...others, compare: isOpen ? '' : `${gap}=${other}` })}
            >
              {other}
            </a>
          )
        })}
      </div>
      {live && compared !== undefined && (
        <>
          <p class="quiet">
            <Prose text={question} />
          </p>
          <AssumptionDiff exchange={exchange} gap={gap} other={compared} />
        </>
      )}
    </li>
  )
}
