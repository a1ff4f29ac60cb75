import { counted } from '../../base/text.js'
import type { RelianceSummary } from '../../service/assumptions/settle.js'
import { ActionButton, controls } from '../actions.js'
import type { GapInfo } from '../data.js'
import { KeptScroll } from '../kept-scroll.js'
import { changes, exchangeLines } from '../live-state.js'
import { Choice, Field, Loaded, Prose } from '../parts.js'
import { useResource } from '../resource.js'
import { href, place, setQuery } from '../router.js'

/** Renders every gap with its assumption, where that choice comes from, and the responses that depend on it. */
export function GapsScreen() {
  const { path, query } = place.value
  const search = query.get('search') ?? ''
  const show = query.get('show') ?? 'relied'
  const gaps = useResource((from) => from.gaps(), [], changes.assumptions)
  const reliances = useResource((from) => from.reliances(), [], changes.reliances)
  const relied = new Map((reliances.value ?? []).map((reliance) => [reliance.gap as string, reliance]))
  const isShown = (gap: GapInfo): boolean => {
    if (gap.gap === path[0]) return true
    if (show === 'relied' && !relied.has(gap.gap)) return false
    if (show === 'chosen' && gap.from === 'default') return false
    return `${gap.gap} ${gap.question}`.toLowerCase().includes(search.toLowerCase())
  }
  return (
    <div class="page">
      <h2>Gaps</h2>
      <p>
        The interface leaves these points open. A response that depends on one of them would be different
        under another assumption, and the real service may behave that way.
      </p>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="Show"
          value={show}
          options={[
            { value: 'relied', label: `Responses depend on it (${relied.size})` },
            { value: 'chosen', label: 'Not the default assumption' },
            { value: 'all', label: `All (${gaps.value?.length ?? 0})` },
          ]}
          onChange={(value) => setQuery({ show: value })}
        />
        <Field label="Search" type="search" value={search} onInput={(text) => setQuery({ search: text })} />
      </form>
      <Loaded of={gaps}>
        {(all) => {
          const list = all.filter(isShown)
          if (list.length === 0) return <p class="quiet">{emptyText(show)}</p>
          return (
            <>
              {list.map((gap) => (
                <GapCard key={gap.gap} gap={gap} reliance={relied.get(gap.gap)} open={gap.gap === path[0]} />
              ))}
              <KeptScroll
                key={path[0]}
                part="gaps"
                otherwise={() => document.querySelector('.gap.open')?.scrollIntoView({ block: 'nearest' })}
              />
            </>
          )
        }}
      </Loaded>
    </div>
  )
}

function emptyText(show: string): string {
  if (show === 'relied') return 'So far, the interface guarantees every response to this client.'
  return show === 'chosen' ? 'Every gap has its default assumption.' : 'No gap matches.'
}

function GapCard({
  gap,
  reliance,
  open,
}: {
  gap: GapInfo
  reliance: RelianceSummary | undefined
  open: boolean
}) {
  const { gap: id, question, assumption, from, assumptions, advice, evidence } = gap
  const requests = exchangeLines.value.filter((line) => line.gaps.includes(id)).slice(-5)
  return (
    <article class={`gap${open ? ' open' : ''}`} aria-label={id}>
      <h3>
        <a class="item" href={href('gaps', [id], Object.fromEntries(place.value.query))}>
          {id}
        </a>{' '}
        {reliance && <span class="badge gap">{counted(reliance.count, 'response')}</span>}
      </h3>
      <p>
        <Prose text={question} />
      </p>
      <ul class="assumptions">
        {assumptions.map(({ name, means }) => (
          <li key={name} class={name === assumption ? 'chosen' : ''}>
            <code>{name}</code> <Prose text={means} />{' '}
            {name === assumption ? (
              <strong>— in force, chosen by: {from}</strong>
            ) : (
              <ActionButton action={() => controls.setAssumption(id, name)}>Use this assumption</ActionButton>
            )}
          </li>
        ))}
      </ul>
      {requests.length > 0 && (
        <p>
          Where:{' '}
          {requests.map(({ seq, method, path }) => (
            <span key={seq}>
              <a href={href('traffic', [String(seq)])}>
                request {seq} ({method} {path})
              </a>
              ,{' '}
            </span>
          ))}
          <a href={href('traffic', [], { gap: id })}>all of them</a>
        </p>
      )}
      <details open={open}>
        <summary>Advice and evidence</summary>
        <p>
          <Prose text={advice} />
        </p>
        <p class="quiet">
          Evidence: <Prose text={evidence} />
        </p>
      </details>
    </article>
  )
}
