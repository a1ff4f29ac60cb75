import {
  type Disturbance,
  type DisturbedStory,
  type Kind,
  type KindName,
  kindNames,
  type PlannedDisturbance,
  type Undisturbed,
} from '../disturbance.js'
import { assumptionKind } from './assumptions.js'
import { attackKind } from './attacks.js'
import { deliveryKind } from './deliveries.js'
import { faultKind } from './faults.js'
import { mailKind } from './mail.js'
import { restartKind } from './restarts.js'
import { isAboutTheEnd } from './used.js'

/** A model that takes its time, so that mail and the agent's own timers come meanwhile; only of an agent that asks anybody else. */
const timeKind: Kind = {
  planned({ play: { pace } }) {
    const asksOthers = (pace?.elsewhere ?? 0) > 0
    return asksOthers ? [{ name: 'slow-model/20s', group: 'slow-model' }] : []
  },
  effect(parts) {
    if (parts.join('/') !== 'slow-model/20s') return undefined
    return {
      words: 'each request to somebody else, such as a model, takes 20 seconds',
      advice:
        'Let no second round begin while one is under way, and look at the thread again once the model has answered.',
      playing: { thinkTime: 20_000 },
    }
  },
  judges: isAboutTheEnd,
}

/** Every kind of disturbances. */
export const kinds: Readonly<Record<KindName, Kind>> = {
  faults: faultKind,
  deliveries: deliveryKind,
  restarts: restartKind,
  time: timeKind,
  mail: mailKind,
  attacks: attackKind,
  assumptions: assumptionKind,
}

/** Returns the disturbance of an id; undefined if there is none, or the scenario has nothing of that name. */
export function disturbanceOf(id: string, story: DisturbedStory): Disturbance | undefined {
  const [first, ...parts] = id.split('/')
  const kind = kindNames.find((name) => name === first)
  const effect = kind && kinds[kind].effect(parts, story, id)
  return effect && { ...effect, id, kind }
}

/** Returns the disturbances of some kinds that an agent can meet, in the order in which they are tried. */
export function plannedFor(
  undisturbed: Undisturbed,
  names: readonly KindName[] = kindNames,
): PlannedDisturbance[] {
  return inOrder(
    names.flatMap((kind) => {
      return kinds[kind]
        .planned(undisturbed)
        .map(({ name, ...how }) => ({ id: `${kind}/${name}`, kind, ...how }))
    }),
  )
}

/**
 * Orders disturbances: the most valuable ones first, then one of each kind in turn, and within a kind one of each group before
 * the second of any.
 */
export function inOrder(planned: readonly PlannedDisturbance[]): PlannedDisturbance[] {
  const valuable = planned.filter(({ rank }) => rank !== undefined)
  const others = planned.filter(({ rank }) => rank === undefined)
  const byGroup = inTurns(others, ({ kind, group }) => `${kind} ${group}`)
  return [
    ...valuable.toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0)),
    ...inTurns(byGroup, ({ kind }) => kind),
  ]
}

/** Returns the first item of each key, then the second of each, and so on. */
function inTurns<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const counts = new Map<string, number>()
  const turns = items.map((item) => {
    const turn = (counts.get(keyOf(item)) ?? 0) + 1
    counts.set(keyOf(item), turn)
    return { item, turn }
  })
  return turns.sort((one, other) => one.turn - other.turn).map(({ item }) => item)
}
