import { shownTime } from './time.js'

/** A past or future occurrence at an instant of the story. */
export interface AxisMark {
  readonly kind: 'played' | 'problem' | 'upcoming' | 'request' | 'delivery' | 'waited' | 'rested'
  readonly at: string
  /** The end of a span. */
  readonly until?: string
  readonly label: string
  /** The address that a click opens. */
  readonly address?: string
}

const lanes = [
  { name: 'Timeline', kinds: ['played', 'problem', 'upcoming'] },
  { name: 'Requests', kinds: ['request'] },
  { name: 'Deliveries', kinds: ['delivery'] },
] as const

/** What only the report of a play has: the time that was skipped because the agent waited, or rested. */
const skippedLanes = [
  { name: 'Waits', kinds: ['waited'] },
  { name: 'Rests', kinds: ['rested'] },
] as const

const [width, left, right, laneHeight] = [1000, 90, 20, 44]

/** The most marks in a lane; more would overlap so much that they show nothing more. */
const laneLimit = 500

/** Renders the story on a time axis: one lane for each kind of mark, and a line at the current time. */
export function TimeAxis({ start, now, marks }: { start: string; now: string; marks: readonly AxisMark[] }) {
  const instants = [start, now, ...marks.map(({ at, until = at }) => until)].map((at) => Date.parse(at))
  const first = instants.reduce((minimum, instant) => Math.min(minimum, instant))
  const last = Math.max(
    first + 1000,
    instants.reduce((maximum, instant) => Math.max(maximum, instant)),
  )
  const x = (at: string): number =>
    left + ((Date.parse(at) - first) / (last - first)) * (width - left - right)
  const shown = marks.some(({ until }) => until !== undefined) ? [...lanes, ...skippedLanes] : lanes
  const height = shown.length * laneHeight + 30
  return (
    <div class="axis">
      {/* biome-ignore lint/a11y/useSemanticElements: a picture whose marks are links is a group. */}
      <svg viewBox={`0 0 ${width} ${height}`} role="group" aria-label="The story on a time axis">
        {shown.map(({ name, kinds }, lane) => {
          const y = lane * laneHeight + laneHeight / 2 + 4
          return (
            <g key={name}>
              <text x="0" y={y + 4} class="lane">
                {name}
              </text>
              <line x1={left} x2={width - right} y1={y} y2={y} class="line" />
              {thinned(marks.filter(({ kind }) => (kinds as readonly string[]).includes(kind))).map(
                (mark, index) => (
                  <Mark key={index} mark={mark} x={x(mark.at)} end={x(mark.until ?? mark.at)} y={y} />
                ),
              )}
            </g>
          )
        })}
        <line x1={x(now)} x2={x(now)} y1="0" y2={height - 24} class="now" />
        <text x={x(now)} y={height - 8} class="now-label" text-anchor={x(now) > width / 2 ? 'end' : 'start'}>
          now {shownTime(now).slice(11)}
        </text>
        <text x={left} y={height - 8} class="lane">
          {x(now) > left + 130 ? shownTime(start) : ''}
        </text>
      </svg>
    </div>
  )
}

function thinned(marks: readonly AxisMark[]): readonly AxisMark[] {
  if (marks.length <= laneLimit) return marks
  const step = marks.length / laneLimit
  return Array.from({ length: laneLimit }, (_, index) => marks[Math.floor(index * step)] as AxisMark)
}

interface MarkProps {
  readonly mark: AxisMark
  readonly x: number
  /** Where a span ends. */
  readonly end: number
  readonly y: number
}

function Mark({ mark: { kind, at, until, label, address }, x, end, y }: MarkProps) {
  const title = `${label}, ${at}`
  const shape =
    until === undefined ? (
      <circle cx={x} cy={y} r="6" class={`mark ${kind}`}>
        <title>{title}</title>
      </circle>
    ) : (
      <rect x={x} y={y - 8} width={Math.max(2, end - x)} height="16" class={`mark ${kind}`}>
        <title>{`${title} to ${until}`}</title>
      </rect>
    )
  return address === undefined ? (
    shape
  ) : (
    <a href={address} aria-label={title}>
      {shape}
    </a>
  )
}
