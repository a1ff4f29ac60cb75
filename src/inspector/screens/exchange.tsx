import { useSignal } from '@preact/signals'
import { diffLines } from 'diff'
import { counted } from '../../contract/text.js'
import type { Exchange } from '../../world/index.js'
import { curlOf } from '../curl.js'
import type { RepeatedAnswer } from '../data.js'
import { changes, source } from '../live-state.js'
import { CopyButton, FieldList, Loaded, layOut, Notice, Prose, Source, StatusBadge, Time } from '../parts.js'
import { useResource } from '../resource.js'
import { href, searchOf } from '../router.js'

/** Renders one request in full: the request, its answer, and what the answer depends on. */
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
  const { seq, at, method, path, status, operation, duration_ms, request, response, fault } = exchange
  const { near_miss, replayed, hints } = exchange
  return (
    <>
      <header>
        <h2>
          {method} {path} <StatusBadge status={status} />
        </h2>
        <p>
          {operation ?? 'no operation'} · request {seq} · <Time at={at} /> ·{' '}
          <span title="The wall time that the simulator took">{duration_ms} ms</span>
        </p>
        <CopyButton text={curlOfExchange(exchange)} label="Copy as curl" />
      </header>
      {fault !== null && (
        <section class="because" aria-label="Fault">
          <h3>Why this answer: a fault</h3>
          <p>
            The fault <code>{fault.id}</code> disturbed this answer.{' '}
            <a href={href('controls')}>See the faults in force</a>
          </p>
          <Source text={JSON.stringify(fault)} />
        </section>
      )}
      {replayed !== null && (
        <section class="because" aria-label="Replay">
          <h3>Why this answer: it is a replay</h3>
          <p>
            An earlier request had the same <code>Idempotency-Key</code>, so this one had no effect and got
            the answer of{' '}
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
          <h3>What this answer hides</h3>
          <ul>
            {hints.map((hint) => (
              <li key={hint}>{hint}</li>
            ))}
          </ul>
        </section>
      )}
      {near_miss !== null && (
        <section class="because" aria-label="No operation">
          <h3>Why this answer: no operation matches</h3>
          <p>{near_miss}</p>
        </section>
      )}
      <Assumptions exchange={exchange} />
      <h3>Request</h3>
      <FieldList
        rows={Object.entries(exchange.query).map(([name, value]) => [`?${name}`, [value].flat().join(', ')])}
      />
      <details>
        <summary>{counted(Object.keys(request.headers).length, 'header')}</summary>
        <FieldList rows={Object.entries(request.headers)} />
      </details>
      {request.body !== null && <Source text={request.body} />}
      <h3>Response</h3>
      <details>
        <summary>{counted(Object.keys(response.headers).length, 'header')}</summary>
        <FieldList rows={Object.entries(response.headers)} />
      </details>
      {response.body === null ? <p class="quiet">No body.</p> : <Source text={response.body} />}
    </>
  )
}

function Assumptions({ exchange }: { exchange: Exchange }) {
  const gaps = useResource((from) => from.gaps(), [], changes.readings)
  const { reliances } = exchange
  if (reliances.length === 0) {
    return <p class="quiet">The interface guarantees this whole answer: no other reading would change it.</p>
  }
  return (
    <section class="assumptions" aria-label="Assumptions">
      <h3>This answer depends on points that the interface leaves open</h3>
      <ul>
        {reliances.map(({ gap, reading, instead }) => (
          <li key={gap}>
            <a href={href('assumptions', [gap])}>{gap}</a> = <code>{reading}</code>
            <p>
              <Prose text={gaps.value?.find((known) => known.gap === gap)?.question ?? ''} />
            </p>
            {instead.map((other) => (
              <OtherAnswer key={other} exchange={exchange} gap={gap} reading={reading} other={other} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Renders the answer under another reading as a diff. */
function OtherAnswer({ exchange, gap, reading, other }: ChangedReading) {
  const open = useSignal(false)
  if (!source.value.live) {
    return (
      <p>
        Other reading: <code>{other}</code>
      </p>
    )
  }
  return (
    <details onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>
        Under <code>{other}</code> the answer would be different
      </summary>
      {open.value && <Comparison exchange={exchange} gap={gap} reading={reading} other={other} />}
    </details>
  )
}

/** A reading that an answer relied on, and another one. */
interface ChangedReading {
  readonly exchange: Exchange
  readonly gap: string
  readonly reading: string
  readonly other: string
}

function Comparison({ exchange, gap, reading, other }: ChangedReading) {
  const answers = useResource(
    (from) => Promise.all([from.repeat(exchange.seq, {}), from.repeat(exchange.seq, { [gap]: other })]),
    [exchange.seq],
  )
  return (
    <Loaded of={answers}>
      {([current, changed]) => (
        <>
          {textOf(current) !== textOf(exchange) && (
            <p class="quiet">
              The world has changed since this request. Both answers below are those of the world in its
              current state.
            </p>
          )}
          <Diff before={textOf(current)} after={textOf(changed)} from={reading} to={other} />
        </>
      )}
    </Loaded>
  )
}

function textOf({ status, response }: RepeatedAnswer): string {
  return `${status}\n${layOut(response.body ?? '')}`
}

/** Renders the diff of two texts; signs and colours mark the lines that differ. */
export function Diff({
  before,
  after,
  from,
  to,
}: {
  before: string
  after: string
  from: string
  to: string
}) {
  const parts = diffLines(before, after)
  return (
    <div class="diff">
      <p>
        <span class="removed">− {from}</span> <span class="added">+ {to}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        {parts.map(({ value, added, removed }, index) => {
          if (!added && !removed) return <Unchanged key={index} text={value} />
          const sign = added ? '+ ' : '− '
          const lines = value
            .replace(/\n$/, '')
            .split('\n')
            .map((line) => sign + line)
          return (
            <span key={index} class={added ? 'added' : 'removed'}>
              {`${lines.join('\n')}\n`}
            </span>
          )
        })}
      </pre>
    </div>
  )
}

/** The number of unchanged lines that are shown on each side of a change. */
const context = 3

function Unchanged({ text }: { text: string }) {
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `  ${line}`)
  if (lines.length <= 2 * context + 1) return <>{`${lines.join('\n')}\n`}</>
  const [head, tail] = [lines.slice(0, context), lines.slice(-context)]
  return <>{[...head, `  … ${lines.length - 2 * context} unchanged lines`, ...tail, ''].join('\n')}</>
}

/** Returns the shell command that repeats a request; its key is a variable, because keys are not recorded. */
function curlOfExchange({ method, path, query, status, fault, request }: Exchange): string {
  const { authorization, 'content-type': type } = request.headers
  // A key that was refused stays as it is masked, so that it is refused again.
  const isRefused = [401, 403].includes(status) && fault === null
  return curlOf({
    method,
    url: `${source.value.live ? location.origin : '$MAILBOX_BASE_URL'}${path}${searchOf(query)}`,
    headers: {
      ...(authorization !== undefined && {
        Authorization: isRefused ? authorization : authorization.replace(/\*+$/, '$MAILBOX_API_KEY'),
      }),
      ...(type !== undefined && { 'Content-Type': type }),
    },
    data: request.body,
  })
}
