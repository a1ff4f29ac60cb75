import { diffLines } from 'diff/lib/diff/line.js'
import type { Exchange } from '../../service/world/exchange.js'
import type { RepeatedResponse } from '../data.js'
import { Loaded, layOut } from '../parts.js'
import { useResource } from '../resource.js'

/** Renders how the response to a request would differ under another assumption, as a diff. */
export function AssumptionDiff({
  exchange,
  gap,
  other,
}: {
  readonly exchange: Exchange
  readonly gap: string
  readonly other: string
}) {
  const assumption = exchange.reliances.find((reliance) => reliance.gap === gap)?.assumption ?? ''
  const responses = useResource(
    (from) => Promise.all([from.repeat(exchange.seq, {}), from.repeat(exchange.seq, { [gap]: other })]),
    [exchange.seq, gap, other],
  )
  return (
    <Loaded of={responses}>
      {([current, changed]) => (
        <>
          {textOf(current) !== textOf(exchange) && (
            <p class="quiet">
              The world has changed since this request. Both responses below are those of the world in its
              current state.
            </p>
          )}
          <Diff before={textOf(current)} after={textOf(changed)} from={assumption} to={other} />
        </>
      )}
    </Loaded>
  )
}

function textOf({ status, response }: RepeatedResponse): string {
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
