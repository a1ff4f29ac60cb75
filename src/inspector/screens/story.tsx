import { useSignal } from '@preact/signals'
import type { Delivery } from '../../service/webhooks/delivery.js'
import { ActionButton, controls } from '../actions.js'
import type { ExpectationState, StoryTimeline, WorldInfo } from '../data.js'
import { KeptScroll } from '../kept-scroll.js'
import { changes, clock, exchangeLines, source } from '../live-state.js'
import { Choice, Field, Loaded, Time, UnmetExpectation } from '../parts.js'
import { useResource } from '../resource.js'
import { href } from '../router.js'
import { shownTime } from '../time.js'
import { type AxisMark, TimeAxis } from '../time-axis.js'
import { EntryChanges, rowsOfEntries } from './changed-rows.js'
import { SkippedTime, skippedMarks } from './skipped-time.js'

/** Renders the story on a time axis, the clock, and whether the expectations are met. */
export function StoryScreen() {
  const world = useResource((from) => from.world(), [], changes.story)
  const timeline = useResource((from) => from.timeline(), [], changes.story)
  const deliveries = useResource((from) => from.deliveries(), [], changes.deliveries)
  const expectations = useResource((from) => from.expectations(), [], changes.story)
  return (
    <div class="page">
      <Loaded of={world}>
        {(about) => (
          <>
            <h2>
              {about.scenario} <small>seed {about.seed}</small>
            </h2>
            {source.value.live && <ClockControls timeline={timeline.value} />}
            <Loaded of={timeline}>
              {(story) => (
                <>
                  <TimeAxis
                    start={about.start}
                    now={clock.value?.now ?? about.now}
                    marks={marksOf(story, deliveries.value ?? [])}
                  />
                  <SkippedTime />
                  <Entries story={story} about={about} />
                  <KeptScroll part="story" />
                </>
              )}
            </Loaded>
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

function marksOf(story: StoryTimeline, deliveries: readonly Delivery[]): AxisMark[] {
  const played = story.played.map(({ name, at, problem }) => {
    return { kind: problem === null ? 'played' : 'problem', at, label: name } as const
  })
  const upcoming = story.upcoming.map(({ name, at }) => ({ kind: 'upcoming', at, label: name }) as const)
  const requests = exchangeLines.value.map(({ seq, at, method, path, status }) => {
    return {
      kind: 'request',
      at,
      label: `${method} ${path} ${status}`,
      address: href('traffic', [String(seq)]),
    } as const
  })
  const sent = deliveries.map(({ id, event }) => {
    return { kind: 'delivery', at: event.at, label: event.type, address: href('deliveries', [id]) } as const
  })
  return [...played, ...upcoming, ...requests, ...sent, ...skippedMarks()]
}

/** The clock modes; a speed is the number of seconds of story time for each second of wall time. */
const modes = ['frozen', 'real', '10x', '60x', '600x']

function ClockControls({ timeline }: { timeline: StoryTimeline | undefined }) {
  const duration = useSignal('5m')
  const speed = useSignal('10x')
  const mode = clock.value?.mode ?? 'frozen'
  const next = timeline?.upcoming[0]
  return (
    <section class="clock" aria-label="Clock">
      <p>
        Story time: {clock.value && shownTime(clock.value.now)} · {mode}
      </p>
      <div class="actions">
        {mode === 'frozen' ? (
          <ActionButton action={() => controls.clockMode(speed.value)}>Play</ActionButton>
        ) : (
          <ActionButton action={() => controls.clockMode('frozen')}>Pause</ActionButton>
        )}
        <Choice
          label="Speed"
          value={speed.value}
          options={modes.slice(1).map((value) => ({ value, label: value }))}
          onChange={(value) => (speed.value = value)}
        />
        <ActionButton disabled={!next} action={() => controls.advanceTo(next?.at ?? '')}>
          Step to the next entry
        </ActionButton>
        <Field label="Advance by" value={duration.value} onInput={(text) => (duration.value = text)} />
        <ActionButton action={() => controls.advance(duration.value)}>Advance</ActionButton>
      </div>
    </section>
  )
}

function Entries({ story, about }: { story: StoryTimeline; about: WorldInfo }) {
  const known = useResource((from) => from.changes(), [story.played.length])
  const rows = rowsOfEntries(story.played, known.value)
  if (story.played.length === 0 && story.upcoming.length === 0) {
    return <p class="quiet">The timeline of {about.scenario} is empty; nothing happens by itself.</p>
  }
  return (
    <table>
      <caption>Timeline</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Entry</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {story.played.map(({ name, at, problem }, index) => (
          <tr key={`played ${index}`} class="item" tabIndex={-1}>
            <td>
              <Time at={at} exact />
            </td>
            <td>{name}</td>
            <td>
              {problem ?? 'happened'} <EntryChanges rows={rows[index]} />
            </td>
          </tr>
        ))}
        {story.upcoming.map(({ name, at }, index) => (
          <tr key={`upcoming ${index}`} class="item quiet" tabIndex={-1}>
            <td>
              <Time at={at} exact />
            </td>
            <td>{name}</td>
            <td>
              {source.value.live ? (
                <ActionButton action={() => controls.advanceTo(at)}>Jump here</ActionButton>
              ) : (
                'upcoming'
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Renders an expectation, and why it is not met. */
export function ExpectationLine({ expectation }: { expectation: ExpectationState }) {
  const { passed, describe } = expectation
  return (
    <li class={passed ? 'passed' : 'failed'}>
      <strong>
        <span aria-hidden="true">{passed ? '✓' : '✗'}</span> {passed ? 'Met' : 'Not met'}: {describe}
      </strong>
      {!passed && <UnmetExpectation expectation={expectation} />}
    </li>
  )
}
