import { counted } from '../../base/text.js'
import { ActionButton } from '../actions.js'
import type { ChangesInfo, StoryTimeline, WorldKey } from '../data.js'
import { source } from '../live-state.js'
import { CopyButton, Folded, Loaded } from '../parts.js'
import { useStable } from '../resource.js'
import { Diff } from './diff.js'

type ChangedRow = ChangesInfo['exchanges'][number]['rows'][number]

/** Renders what a request changed in the mailbox, and what opens the mailbox as it was just after it. */
export function ExchangeChanges({ seq }: { seq: number }) {
  const known = useStable((from) => from.changes(seq), [seq])
  return (
    <section class="changes" aria-label="Changes">
      <h3>Before and after</h3>
      <Loaded of={known}>
        {({ exchanges }) => {
          const { rows = [] } = exchanges.find((one) => one.seq === seq) ?? {}
          return rows.length > 0 ? <ChangedRows rows={rows} /> : <p class="quiet">It changed nothing.</p>
        }}
      </Loaded>
      <OpenHere seq={seq} />
    </section>
  )
}

/** Renders the rows that something changed, each as a diff of its fields. */
function ChangedRows({ rows }: { rows: readonly ChangedRow[] }) {
  return (
    <ul class="changed-rows">
      {rows.map(({ model, id, before, after }) => (
        <li key={`${model} ${id}`}>
          {model} <code>{id}</code>{' '}
          {before === null ? 'was added' : after === null ? 'was deleted' : 'changed'}
          <Diff before={linesOf(before)} after={linesOf(after)} from="before" to="after" />
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns the rows that each played entry changed, undefined where that is not known; one that is played again at the same
 * instant has those after the first.
 */
export function rowsOfEntries(
  played: StoryTimeline['played'],
  known: ChangesInfo | undefined,
): readonly (readonly ChangedRow[] | undefined)[] {
  const left = [...(known?.entries ?? [])]
  return played.map(({ name, at }) => {
    const place = left.findIndex((one) => one.name === name && one.at === at)
    return place < 0 ? undefined : left.splice(place, 1)[0]?.rows
  })
}

/** Renders the number of rows that something changed, which opens them. */
export function FoldedRows({ rows }: { rows: readonly ChangedRow[] | undefined }) {
  if (!rows || rows.length === 0) return null
  return (
    <Folded summary={`${counted(rows.length, 'row')} changed`}>{() => <ChangedRows rows={rows} />}</Folded>
  )
}

function linesOf(row: ChangedRow['before']): string {
  const lines = Object.entries(row ?? {}).map(([name, value]) => {
    return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}\n`
  })
  return lines.join('')
}

/** Renders the button that opens a world as it was just after a request or, in a report, the command line that serves it. */
function OpenHere({ seq }: { seq: number }) {
  if (!source.value.live) {
    const line = `npx agent-mailbox-sim serve results/ --at ${seq}`
    return (
      <div class="actions">
        <CopyButton text={line} label="Copy the command that opens it here" />
        <span class="quiet">
          <code>{line}</code>, if <code>--out results/</code> kept it
        </span>
      </div>
    )
  }
  const open = (answer: unknown): void => {
    const query = new URLSearchParams({ world: (answer as WorldKey).id })
    location.assign(`./?${query}#/mailbox`)
  }
  return (
    <div class="actions">
      <ActionButton
        request={{ method: 'POST', path: '/worlds', body: { at: seq } }}
        onDone={open}
        title="Creates a world that goes on from there"
      >
        Open here
      </ActionButton>
    </div>
  )
}
