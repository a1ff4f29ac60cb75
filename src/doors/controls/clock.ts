import { z } from '../../base/schema.js'
import { WorldError } from '../../service/model/errors.js'
import {
  type ClockMode,
  type Duration,
  formatInstant,
  parseClockMode,
  parseDuration,
  parseInstant,
} from '../../service/time/time.js'
import type { PlayedEntry } from '../../service/world/story-entry.js'
import { paceQuietly } from '../pace/quiet-pace.js'
import { type Controlled, clockMode, control, listNamed, type RequestInput, reading } from './control.js'

/** Reads and moves the clock of a world. */
export const clock = {
  /** `auto`, `real`, `frozen` or a speed such as `10x`. */
  mode: reading<ClockMode>(({ view }) => view.world.clock.mode),

  /** The instant at which the story began on this clock, ISO 8601 UTC. @internal */
  beganAt: reading<string>(({ view }) => formatInstant(view.world.clock.beganAt)),

  /** Returns the current instant, ISO 8601 UTC. */
  now: control({ perform: ({ view }: Controlled): string => formatInstant(view.world.clock.now()) }),

  /** Sets how time passes: `auto`, `real`, `frozen` or a speed such as `10x`. @throws WorldError */
  setMode: control({
    perform({ view: { world } }: Controlled, mode: ClockMode): void {
      world.clock.setMode(parseClockMode(mode))
      paceQuietly(world)
    },
  }),

  /**
   * Advances the clock by `'5m'`, `'1h30m'` or milliseconds and runs everything that falls due on the way; `0` runs what
   * is already due. Overlapping calls run one after another. @throws WorldError
   */
  advance: control({
    async perform({ view }: Controlled, duration: Duration | number): Promise<void> {
      const milliseconds = typeof duration === 'number' ? duration : parseDuration(duration)
      if (milliseconds === undefined || Number.isNaN(milliseconds)) {
        throw new WorldError('malformed', `"${duration}" is not a duration such as 30s, 5m or 1h30m.`)
      }
      await view.world.clock.advance(milliseconds)
    },
  }),

  /** Advances the clock to an instant, ISO 8601, and runs everything that falls due on the way. @throws WorldError */
  advanceTo: control({
    async perform({ view }: Controlled, instant: string): Promise<void> {
      const target = parseInstant(instant)
      if (target === undefined) {
        const form = 'an ISO 8601 instant such as 2026-01-05T09:00:00Z'
        throw new WorldError('malformed', `"${instant}" is not ${form}.`)
      }
      await view.world.clock.advanceTo(target)
    },
  }),
}

function leftIn({ view }: Controlled): number {
  return view.world.timeline.left + view.world.triggers.pending.length
}

/** The timeline of a world's scenario: the entries that were played and those still to come. */
export const timeline = {
  /** The number of entries still to come, apart from those that wait for a client. */
  left: reading<number>(leftIn),

  /** Returns the entries played so far, in order; `problem` says why one could not be played as written. */
  played: control({
    perform({ view }: Controlled): readonly PlayedEntry[] {
      const { timeline, triggers } = view.world
      if (triggers.none) return [...timeline.played]
      return [...timeline.played, ...triggers.played].sort((a, b) => a.at.localeCompare(b.at))
    },
  }),

  /** Returns the next entries, up to `limit`, each with its instant, ISO 8601 UTC. */
  upcoming: control({
    perform(
      { view }: Controlled,
      limit: number = 1000,
    ): readonly { readonly name: string; readonly at: string }[] {
      const { timeline, triggers } = view.world
      const next = timeline.upcoming(limit)
      if (triggers.pending.length === 0) return next
      return [...next, ...triggers.pending].sort((a, b) => a.at.localeCompare(b.at)).slice(0, limit)
    },
  }),
}

const actions = ['advance', 'to', 'mode'] as const

/** The routes of a world's clock and timeline. */
export const clockRoutes = [
  control({
    route: 'GET /clock',
    summary: "Returns the world's time and how it passes.",
    perform: show,
  }),
  control({
    route: 'POST /clock',
    summary:
      'Advances the clock and runs everything that is due in between, or changes its mode; time never goes back.',
    agents: ({ mode }) => mode === undefined,
    body: () =>
      z
        .strictObject({
          advance: z
            .string('expected a duration such as "5m"')
            .optional()
            .describe('Advances the clock by a duration such as `30s`, `5m` or `1h30m`.'),
          to: z.string().optional().describe('Advances the clock to an instant, ISO 8601.'),
          mode: clockMode().optional(),
        })
        .refine((body) => actions.filter((action) => body[action] !== undefined).length === 1, {
          error: 'expected exactly one of advance, to and mode',
        })
        .meta({ oneOf: actions.map((action) => ({ required: [action] })) }),
    async perform(on: Controlled, { advance, to, mode }: RequestInput) {
      if (advance !== undefined) await clock.advance.perform(on, advance)
      if (to !== undefined) await clock.advanceTo.perform(on, to)
      if (mode !== undefined) clock.setMode.perform(on, mode)
      return show(on)
    },
  }),
  control({
    route: 'GET /timeline',
    summary:
      "Lists the entries of the scenario's timeline that have been played, and the next 1,000 that come.",
    answer: listNamed('upcoming'),
    perform: (on: Controlled) => ({
      played: timeline.played.perform(on),
      left: leftIn(on),
      upcoming: timeline.upcoming.perform(on),
    }),
  }),
]

function show({ view: { world } }: Controlled) {
  return { now: formatInstant(world.clock.now()), mode: world.clock.mode }
}
