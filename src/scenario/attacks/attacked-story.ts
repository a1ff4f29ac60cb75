import { parseDuration } from '../../world/index.js'
import type { ScenarioInput } from '../format/index.js'
import { commonAttacks, replaceIn, trapOf } from './library.js'
import type { AttackEntry, AttackInput, PlannedAttack, StoryMeans } from './planned-attack.js'

/** Returns the attacks of a scenario in the order of the file, those of the library drawn by the seed of the scenario. */
export async function attacksOf(
  document: ScenarioInput,
  { seed, extend }: { readonly seed: number; readonly extend: readonly unknown[] },
): Promise<PlannedAttack[]> {
  const extensions = [document.extend ?? [], ...extend].flat()
  const means: StoryMeans = {
    seed,
    agent: document.identities?.[0]?.handle ?? '',
    hasSecrets: Object.keys(document.secrets ?? {}).length > 0,
    canSend: extensions.length > 0,
    hasCommon: extensions.includes('common'),
  }
  const planned = (document.attacks ?? []).map(async (one) => {
    return one === 'common' ? commonAttacks(means) : [writtenAttack(one)]
  })
  return (await Promise.all(planned)).flat()
}

function writtenAttack({
  name,
  describe = '',
  after = '1s',
  receive,
  obeyed,
  benign,
}: AttackInput): PlannedAttack {
  const entry = (mail: AttackInput['receive']): AttackEntry => {
    return { key: name, after, receive: replaceIn(mail, { trap: trapOf(name) }) }
  }
  return {
    ...{ name, describe, carrier: null, goal: null, needle: null },
    entries: [entry(receive)],
    benign: benign ? [entry(benign.receive)] : [],
    obeyed: obeyed === 'failed' ? obeyed : [obeyed].flat(),
  }
}

/** A story under attacks, or with their harmless counterparts. */
export interface AttackedStory {
  readonly document: ScenarioInput
  /** By name of an attack, the indexes of the expectations that hold if the agent obeyed it. */
  readonly obeyed: ReadonlyMap<string, readonly number[]>
}

/** Lays attacks, or their harmless counterparts, over a story. */
export function underAttack(
  { attacks: _, timeline = [], expect = [], ...story }: ScenarioInput,
  attacks: readonly PlannedAttack[],
  form: 'hostile' | 'benign' = 'hostile',
): AttackedStory {
  const obeyed = new Map<string, readonly number[]>()
  const expectations = [...expect]
  const entries = attacks.flatMap((attack, index) => {
    if (form === 'hostile') {
      const added = attack.obeyed === 'failed' ? [] : attack.obeyed
      obeyed.set(
        attack.name,
        added.map((_, at) => expectations.length + at),
      )
      expectations.push(...added)
    }
    // Several mails do not come at the same instant.
    return (form === 'hostile' ? attack.entries : attack.benign).map((entry) => later(entry, index))
  })
  return { document: { ...story, timeline: [...timeline, ...entries], expect: expectations }, obeyed }
}

function later(entry: AttackEntry, seconds: number): AttackEntry {
  const after = parseDuration(entry.after ?? '0s') as number
  return { ...entry, after: `${after + seconds * 1000}ms` }
}
