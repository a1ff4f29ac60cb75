import type { Path } from '../../base/index.js'
import { parseDuration } from '../../service/time/index.js'
import type { TimelineEntry } from '../../service/world/index.js'
import type { Expectation, Story } from '../expectations/index.js'
import type { ScenarioInput } from '../format/index.js'
import { noSuch, type ProblemAt, refusal } from '../problems/index.js'
import type { WrittenScenario } from '../read/index.js'
import { commonAttacks, replaceIn } from './library.js'
import type { AttackEntry, AttackInput, PlannedAttack, StoryMeans } from './planned-attack.js'
import { trapOf, withTrapsOf } from './trap.js'

/** By what the attacks of a scenario are planned. */
export interface AttackPlanning extends Pick<StoryMeans, 'seed'> {
  readonly extend: readonly unknown[]
  /** Zero by default. */
  readonly pairs?: StoryMeans['pairs'] | undefined
}

/** Returns the attacks of a scenario in the order of the file, those of the library drawn by the seed of the scenario. */
export async function plannedAttacks(
  document: ScenarioInput,
  { seed, extend, pairs = 0 }: AttackPlanning,
): Promise<PlannedAttack[]> {
  const extensions = [document.extend ?? [], ...extend].flat()
  const means: StoryMeans = {
    ...{ seed, pairs },
    agent: document.identities?.[0]?.handle ?? '',
    hasSecrets: Object.keys(document.secrets ?? {}).length > 0,
    canSend: extensions.length > 0,
    hasCommon: extensions.includes('common'),
  }
  const planned = (document.attacks ?? []).map(async (one, index) => {
    const path = ['attacks', index]
    return one === 'common' ? commonAttacks(means, path) : [writtenAttack(one, path)]
  })
  return (await Promise.all(planned)).flat()
}

function writtenAttack(
  { name, describe = '', after = '1s', receive, obeyed, benign }: AttackInput,
  path: Path,
): PlannedAttack {
  const entry = (mail: AttackInput['receive']): AttackEntry => {
    return { key: name, after, receive: replaceIn(mail, { trap: trapOf(name) }) }
  }
  return {
    ...{ name, describe, carrier: null, goal: null, needles: [''], path },
    entries: [entry(receive)],
    benign: benign ? [entry(benign.receive)] : [],
    obeyed: obeyed === 'failed' ? obeyed : [obeyed].flat(),
  }
}

/** Which attacks are laid over a story, and how. */
export interface AttackChoice {
  /** All of the scenario, or some: their names, or as `plannedAttacks` returned them. */
  readonly attacks: 'all' | readonly (string | PlannedAttack)[]
  /** Whether their messages come, or those of their harmless counterparts. */
  readonly form: 'hostile' | 'benign'
}

/**
 * Returns the chosen attacks of a scenario; by name, also those of the library that its seed does not draw.
 * @throws ScenarioError if the scenario has none, or none of a name
 */
export async function chosenAttacks(
  { source, locate, value }: WrittenScenario,
  planning: AttackPlanning,
  chosen: AttackChoice['attacks'],
): Promise<readonly PlannedAttack[]> {
  const refuse = (message: string) => refusal(source, locate, [{ path: ['attacks'], message }])
  const planned = await plannedAttacks(value as ScenarioInput, planning)
  if (planned.length === 0) throw refuse('there are none; add "attacks: [common]" or attacks of your own')
  if (chosen === 'all') return planned
  const names = planned.map(({ name }) => name)
  const isDrawn = chosen.every((one) => typeof one !== 'string' || names.includes(one))
  const every = isDrawn
    ? planned
    : await plannedAttacks(value as ScenarioInput, { ...planning, pairs: 'every' })
  return chosen.map((one) => {
    const found = typeof one === 'string' ? every.find(({ name }) => name === one) : one
    if (!found) throw refuse(noSuch('attack', String(one), names))
    return found
  })
}

/** A story under attacks, or with their harmless counterparts. */
export interface AttackedStory {
  readonly document: ScenarioInput
  /** Returns a problem of the document at the place in the scenario that causes it. */
  inScenario(problem: ProblemAt): ProblemAt
  /** Returns the attacks as the compiled story has them, apart from its own expectations. */
  split(compiled: {
    readonly timeline: readonly TimelineEntry[]
    readonly expectations: readonly Expectation[]
  }): Required<Pick<Story, 'timeline' | 'attacks' | 'expectations'>>
}

/** Lays attacks, or their harmless counterparts, over a story. */
export function underAttack(
  { attacks: _, timeline = [], expect = [], ...story }: ScenarioInput,
  attacks: readonly PlannedAttack[],
  form: AttackChoice['form'] = 'hostile',
): AttackedStory {
  const entries = attacks.flatMap((attack, index) => {
    const mails = form === 'hostile' ? attack.entries : attack.benign
    // Several messages do not come at the same instant.
    return mails.map((entry) => ({ attack, entry: later(entry, index) }))
  })
  const added = attacks.flatMap((attack) => {
    const obeyed = form === 'benign' || typeof attack.obeyed === 'string' ? [] : attack.obeyed
    return obeyed.map((expectation, at) => ({ attack, expectation, at, of: obeyed.length }))
  })
  const document = {
    ...story,
    timeline: [...timeline, ...entries.map(({ entry }) => entry)],
    expect: [...expect, ...added.map(({ expectation }) => expectation)],
  }
  /** Returns the path in the scenario of a part of the document; undefined if it is the same. */
  const original = ([list, index, ...rest]: Path): Path | undefined => {
    const entry = list === 'timeline' && entries[Number(index) - timeline.length]
    const one = list === 'expect' && added[Number(index) - expect.length]
    const { attack } = entry || one || {}
    // The mail of the library has no lines in the scenario.
    if (!attack || attack.carrier !== null) return attack?.path
    if (one) return [...attack.path, 'obeyed', ...(one.of > 1 ? [one.at] : []), ...rest]
    if (rest[0] === 'key') return [...attack.path, 'name']
    return [...attack.path, ...(form === 'benign' && rest[0] === 'receive' ? ['benign'] : []), ...rest]
  }
  return {
    document,
    inScenario: ({ path, place = path, ...problem }) => {
      return { ...problem, path: original(path) ?? path, place: original(place) ?? place }
    },
    split: ({ timeline: played, expectations }) => ({
      timeline: played.map((entry) => {
        const isAttack = attacks.some(({ name }) => isOf(name, entry))
        return isAttack ? { ...entry, commandsIn: withTrapsOf } : entry
      }),
      expectations: expectations.slice(0, expect.length),
      attacks: attacks.map(({ name, needles, entries: mails, obeyed }) => {
        const held = added.flatMap(({ attack }, at) =>
          attack.name === name ? (expectations[expect.length + at] ?? []) : [],
        )
        const laid = mails.map(({ key }, index) => ({
          needle: needles[index] ?? '',
          ids: idsOf(played, key),
        }))
        return { name, mails: laid, obeyed: typeof obeyed === 'string' ? obeyed : held }
      }),
    }),
  }
}

function later(entry: AttackEntry, seconds: number): AttackEntry {
  const after = parseDuration(entry.after ?? '0s') as number
  return { ...entry, after: `${after + seconds * 1000}ms` }
}

/** Returns the ids of the messages that an entry brings. */
function idsOf(timeline: readonly TimelineEntry[], entry: string | undefined): string[] {
  return timeline.flatMap(({ name, commands }) => {
    if (name !== entry) return []
    return commands.flatMap((command) => ('ids' in command && command.ids?.message) || [])
  })
}

/** Returns whether an attack brings an entry. */
function isOf(attack: string, { name }: TimelineEntry): boolean {
  return name === attack || name.startsWith(`${attack}/`)
}
