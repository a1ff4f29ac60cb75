import { counted } from '../../base/text.js'
import type { RelianceSummary } from '../../service/assumptions/settle.js'
import { ActionButton } from '../actions.js'
import type { GapInfo } from '../data.js'
import { exchangeLines } from '../live-state.js'
import { Choice, Field, Loaded, Prose } from '../parts.js'
import { useResource } from '../resource.js'
import { href, place, requestHref, setQuery } from '../router.js'

/** Renders every gap with its assumption, where that choice comes from, and the responses that depend on it. */
export function GapsScreen() {
  const { path, query } = place.value
  const search = query.get('search') ?? ''
  const show = query.get('show') ?? 'relied'
  const gaps = useResource((from) => from.gaps())
  const reliances = useResource((from) => from.reliances())
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
            ['relied', `Responses depend on it (${relied.size})`],
            ['chosen', 'Not the default assumption'],
            ['all', `All (${gaps.value?.length ?? 0})`],
          ]}
          onChange={(value) => setQuery({ show: value })}
        />
        <Field label="Search" type="search" value={search} onInput={(text) => setQuery({ search: text })} />
      </form>
      <Loaded of={gaps}>
        {(all) => {
          const list = all.filter(isShown)
          if (list.length === 0) return <p class="quiet">{emptyText(show)}</p>
          return list.map((gap) => (
            <GapCard key={gap.gap} gap={gap} reliance={relied.get(gap.gap)} open={gap.gap === path[0]} />
          ))
        }}
      </Loaded>
    </div>
  )
}

function emptyText(show: string): string {
  if (show === 'relied') return 'So far, the interface guarantees every response to this client.'
  return show === 'chosen' ? 'Every gap has its default assumption.' : 'No gap matches.'
}

/** Scrolls to the gap that the address names. */
function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
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
    <article class={`gap${open ? ' open' : ''}`} aria-label={id} ref={open ? scrollTo : null}>
      <h3>
        <a href={href('gaps', [id], Object.fromEntries(place.value.query))}>{id}</a>{' '}
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
              <ActionButton request={{ method: 'PATCH', path: '/assumptions', body: { [id]: name } }}>
                Use this assumption
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
      {requests.length > 0 && (
        <p>
          Where:{' '}
          {requests.map(({ seq, method, path }) => (
            <span key={seq}>
              <a href={requestHref(seq)}>
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
