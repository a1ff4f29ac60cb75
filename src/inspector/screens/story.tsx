import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Delivery } from '../../service/webhooks/delivery.js'
import { ActionButton } from '../actions.js'
import type { ControlRequest } from '../control-api.js'
import type { ChangesInfo, ExchangeLine, StoryTimeline } from '../data.js'
import { clock, exchangeLines, source } from '../live-state.js'
import { Choice, ExpectationLine, Field, Loaded, StatusBadge, Time } from '../parts.js'
import { useResource } from '../resource.js'
import { href, requestHref } from '../router.js'
import { listStep } from '../row-list.js'
import { FoldedRows, rowsOfEntries } from './changed-rows.js'

/** Renders the clock, what happened and is to come, and whether the expectations are met. */
export function StoryScreen() {
  const story = useResource(async (from) => {
    const [about, timeline, deliveries, changes] = await Promise.all([
      from.world(),
      from.timeline(),
      from.deliveries(),
      from.changes(),
    ])
    return { about, timeline, deliveries, changes }
  })
  const expectations = useResource((from) => from.expectations())
  return (
    <div class="page">
      <Loaded of={story}>
        {({ about, timeline, deliveries, changes }) => (
          <>
            <h2>
              {about.scenario} <small>seed {about.seed}</small>
            </h2>
            {source.value.live && <ClockControls timeline={timeline} />}
            <Happenings
              all={[
                ...entriesOf(timeline, changes),
                ...requestsOf(exchangeLines.value, changes),
                ...deliveriesOf(deliveries),
              ].toSorted((one, other) => one.at.localeCompare(other.at))}
              upcoming={timeline.upcoming}
            />
          </>
        )}
      </Loaded>
      <h3>Expectations</h3>
      <Loaded of={expectations} empty="This scenario has no expectations.">
        {(list) => (
          <ul class="expectations">
            {list.map((expectation) => (
              <ExpectationLine key={expectation.index} expectation={expectation} />
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  )
}

/** The speeds of a running clock: the seconds of story time for each second of wall time. */
const speeds = ['real', '10x', '60x', '600x'].map((name) => [name, name] as const)

/** Returns the request that changes the clock. */
function clockRequest(body: object): ControlRequest {
  return { method: 'POST', path: '/clock', body }
}

function ClockControls({ timeline }: { timeline: StoryTimeline }) {
  const duration = useSignal('5m')
  const speed = useSignal('10x')
  const isFrozen = (clock.value?.mode ?? 'frozen') === 'frozen'
  const [next] = timeline.upcoming
  return (
    <section class="actions" aria-label="Clock">
      <ActionButton request={clockRequest({ mode: isFrozen ? speed.value : 'frozen' })}>
        {isFrozen ? 'Play' : 'Pause'}
      </ActionButton>
      <Choice
        label="Speed"
        value={speed.value}
        options={speeds}
        onChange={(value) => (speed.value = value)}
      />
      <ActionButton disabled={!next} request={clockRequest({ to: next?.at })}>
        Step to the next entry
      </ActionButton>
      <Field label="Advance by" value={duration.value} onInput={(text) => (duration.value = text)} />
      <ActionButton request={clockRequest({ advance: duration.value })}>Advance</ActionButton>
    </section>
  )
}

/** Something that happened in the story. */
interface Happening {
  readonly key: string
  readonly at: string
  readonly what: ComponentChildren
  readonly outcome: ComponentChildren
}

function entriesOf({ played }: StoryTimeline, changes: ChangesInfo): readonly Happening[] {
  const rows = rowsOfEntries(played, changes)
  return played.map(({ name, at, problem }, index) => ({
    key: `entry ${index}`,
    at,
    what: name,
    outcome: (
      <>
        {problem ?? 'happened'} <FoldedRows rows={rows[index]} />
      </>
    ),
  }))
}

/** Returns the requests that changed something; the traffic has all of them. */
function requestsOf(lines: readonly ExchangeLine[], { exchanges }: ChangesInfo): readonly Happening[] {
  const changed = new Map(exchanges.map(({ seq, rows }) => [seq, rows]))
  return lines
    .filter(({ seq }) => changed.has(seq))
    .map(({ seq, at, method, path, status }) => ({
      key: `request ${seq}`,
      at,
      what: (
        <a href={requestHref(seq)}>
          {method} {path}
        </a>
      ),
      outcome: (
        <>
          <StatusBadge status={status} /> <FoldedRows rows={changed.get(seq)} />
        </>
      ),
    }))
}

function deliveriesOf(deliveries: readonly Delivery[]): readonly Happening[] {
  return deliveries.map(({ id, event, url, status }) => ({
    key: `delivery ${id}`,
    at: event.at,
    what: (
      <>
        <a href={href('deliveries', [id])}>{event.type}</a> to {url}
      </>
    ),
    outcome: <span class={`badge ${status}`}>{status}</span>,
  }))
}

/** Renders the newest of what happened, oldest first, and what is to come. */
function Happenings({ all, upcoming }: { all: readonly Happening[]; upcoming: StoryTimeline['upcoming'] }) {
  const shown = useSignal(listStep)
  if (all.length === 0 && upcoming.length === 0)
    return <p class="quiet">The timeline of this scenario is empty; nothing happens by itself.</p>
  return (
    <>
      {all.length > shown.value && (
        <button type="button" onClick={() => (shown.value += listStep)}>
          More
        </button>
      )}
      <table>
        <caption>What happened, and what is to come</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">What</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(-shown.value).map(({ key, at, what, outcome }) => (
            <tr key={key}>
              <td>
                <Time at={at} exact />
              </td>
              <td>{what}</td>
              <td>{outcome}</td>
            </tr>
          ))}
          {upcoming.map(({ name, at }, index) => (
            <tr key={`upcoming ${index}`} class="quiet">
              <td>
                <Time at={at} exact />
              </td>
              <td>{name}</td>
              <td>
                upcoming <ActionButton request={clockRequest({ to: at })}>Jump here</ActionButton>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
