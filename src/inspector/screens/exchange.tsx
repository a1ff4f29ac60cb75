import { useSignal } from '@preact/signals'
import { diffLines } from 'diff'
import { useEffect } from 'preact/hooks'
import { counted } from '../../contract/text.js'
import type { Exchange } from '../../world/index.js'
import { shellQuote } from '../actions.js'
import { sendControl } from '../control-api.js'
import type { WorldKey } from '../data.js'
import { changes, source } from '../live-state.js'
import { CopyButton, FieldList, Loaded, layOut, Notice, Prose, Source, StatusBadge, Time } from '../parts.js'
import { messageOf, useResource } from '../resource.js'
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
  const { seq, at, method, path, status, operation, duration_ms, request, response, fault, near_miss } =
    exchange
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
        <CopyButton text={curlOf(exchange)} label="Copy as curl" />
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
function OtherAnswer({
  exchange,
  gap,
  reading,
  other,
}: {
  exchange: Exchange
  gap: string
  reading: string
  other: string
}) {
  const open = useSignal(false)
  const state = useSignal<{ answers?: ComparedAnswers; error?: string }>({})
  const live = source.value.live
  useEffect(() => {
    if (!open.value || !live) return
    let current = true
    answerUnder(exchange, gap, reading, other).then(
      (answers) => {
        if (current) state.value = { answers }
      },
      (error) => {
        if (current) state.value = { error: messageOf(error) }
      },
    )
    return () => {
      current = false
    }
  }, [open.value])
  if (!live) {
    return (
      <p>
        Other reading: <code>{other}</code>
      </p>
    )
  }
  const { answers, error } = state.value
  return (
    <details onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>
        Under <code>{other}</code> the answer would be different
      </summary>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      {!answers && error === undefined && <Notice>Sending the request to a copy of this world…</Notice>}
      {answers && (
        <>
          {!answers.asRecorded && (
            <p class="quiet">
              The world has changed since this request. Both answers below come from a copy of the world in
              its current state.
            </p>
          )}
          <Diff before={answers.current} after={answers.other} from={reading} to={other} />
        </>
      )}
    </details>
  )
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
function curlOf({ method, path, query, request }: Exchange): string {
  const parts = [`curl -X ${method} ${shellQuote(`${location.origin}${path}${searchOf(query)}`)}`]
  if (request.headers['authorization'] !== undefined)
    parts.push('-H "Authorization: Bearer $MAILBOX_API_KEY"')
  const type = request.headers['content-type']
  if (type !== undefined) parts.push(`-H ${shellQuote(`Content-Type: ${type}`)}`)
  if (request.body !== null) parts.push(`-d ${shellQuote(request.body)}`)
  return parts.join(' \\\n  ')
}

/** The answers of a copy of the world to one request under two readings. */
interface ComparedAnswers {
  /** Whether the answer under the current reading still equals the recorded one. */
  readonly asRecorded: boolean
  readonly current: string
  readonly other: string
}

/**
 * Sends a request to copies of the world under two readings of a gap. Each copy has a frozen clock and is deleted
 * afterwards; the world itself, its journal and its reliances do not change.
 * @throws ControlApiError when the world cannot be copied
 */
async function answerUnder(
  exchange: Exchange,
  gap: string,
  reading: string,
  other: string,
): Promise<ComparedAnswers> {
  const current = await answerOfCopy(exchange, gap, reading)
  const changed = await answerOfCopy(exchange, gap, other)
  const recorded = `${exchange.status}\n${layOut(exchange.response.body ?? '')}`
  return { asRecorded: current === recorded, current, other: changed }
}

async function answerOfCopy(exchange: Exchange, gap: string, reading: string): Promise<string> {
  const snapshot = await sendControl({ method: 'GET', path: '/snapshot' })
  const copy = await sendControl<WorldKey>({ method: 'POST', path: '/worlds', body: { clock: 'frozen' } })
  try {
    await sendControl({ method: 'PUT', path: '/snapshot', body: snapshot }, copy.id)
    await sendControl({ method: 'PATCH', path: '/readings', body: { [gap]: reading } }, copy.id)
    return await repeat(exchange, copy.api_key)
  } finally {
    await sendControl({ method: 'DELETE', path: `/worlds/${copy.id}` })
  }
}

async function repeat({ method, path, query, request }: Exchange, key: string): Promise<string> {
  const headers = new Headers()
  if (request.headers['authorization'] !== undefined) headers.set('authorization', `Bearer ${key}`)
  const type = request.headers['content-type']
  if (type !== undefined) headers.set('content-type', type)
  const response = await fetch(path + searchOf(query), { method, headers, body: request.body })
  return `${response.status}\n${layOut(await response.text())}`
}
