import type { Path } from '../../base/mistake.js'
import { parseDuration } from '../../service/time/time.js'
import type { TimelineEntry } from '../../service/world/story-entry.js'
import type { LaidAttack } from '../expectations/attack.js'
import type { ScenarioInput } from '../format/scenario.js'
import { compileOverlay } from '../overlays/lay.js'
import type { EntryInput } from '../overlays/moves.js'
import type { Story, StoryOverlay, StorySources } from '../overlays/story.js'
import type { ScenarioFiles } from '../read/files.js'
import { noSuch, type ProblemAt, refusal } from '../read/problem.js'
import type { WrittenScenario } from '../read/read-scenario.js'
import { commonAttacks, replaceIn } from './library.js'
import type { PlannedAttack, StoryMeans, WrittenAttack } from './planned-attack.js'
import { attacksInFile } from './rows.js'
import { trapExtension, trapOf, withTrapsOf } from './trap.js'

/** By what the attacks of a scenario are planned. */
export interface AttackPlanning extends Pick<StoryMeans, 'seed'> {
  readonly extend: readonly unknown[]
  /** The files that the scenario may name. */
  readonly files: ScenarioFiles
  /** Zero by default. */
  readonly pairs?: StoryMeans['pairs'] | undefined
}

/**
 * Returns the attacks of a scenario in the order of the file, those of the library drawn by the seed of the scenario.
 * @throws ScenarioError for a file of attacks
 */
async function plannedAttacks(
  { value, source, locate }: WrittenScenario,
  { seed, extend, files, pairs = 0 }: AttackPlanning,
): Promise<PlannedAttack[]> {
  const document = value as ScenarioInput
  const extensions = [document.extend ?? [], ...extend].flat()
  const means: StoryMeans = {
    ...{ seed, pairs },
    agent: document.identities?.[0]?.handle ?? '',
    domain: /@([^@{}]+)$/.exec(document.identities?.[0]?.mailbox_address ?? '')?.[1] ?? 'agents.example',
    hasSecrets: Object.keys(document.secrets ?? {}).length > 0,
    canSend: extensions.length > 0,
    hasCommon: extensions.includes('common'),
  }
  const { attacks = [] } = document
  const problems: ProblemAt[] = []
  const planned = [attacks].flat().map(async (one, index) => {
    const path = Array.isArray(attacks) ? ['attacks', index] : ['attacks']
    if (one === 'common') return commonAttacks(means, path)
    if (typeof one === 'object' && 'name' in one) return [writtenAttack(one, path)]
    const rows = typeof one === 'string' ? { file: one } : one
    const found = await attacksInFile(rows, files, { means, path, write: writtenAttack })
    problems.push(...found.problems)
    return found.attacks
  })
  const all = (await Promise.all(planned)).flat()
  if (problems.length > 0) throw refusal(source, locate, problems)
  return all
}

function writtenAttack(
  { name, describe = '', after = '1s', receive, obeyed, benign }: WrittenAttack,
  path: Path,
): PlannedAttack {
  const entry = (mail: WrittenAttack['receive']): EntryInput => {
    return { key: name, after, receive: replaceIn(mail, { trap: trapOf(name) }) }
  }
  return {
    ...{ name, describe, carrier: null, goal: null, path, isInScenario: true },
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
  written: WrittenScenario,
  planning: AttackPlanning,
  chosen: AttackChoice['attacks'],
): Promise<readonly PlannedAttack[]> {
  const { source, locate } = written
  const refuse = (message: string) => refusal(source, locate, [{ path: ['attacks'], message }])
  const planned = await plannedAttacks(written, planning)
  if (planned.length === 0) throw refuse('there are none; add "attacks: [common]" or attacks of your own')
  if (chosen === 'all') return planned
  const names = planned.map(({ name }) => name)
  const isDrawn = chosen.every((one) => typeof one !== 'string' || names.includes(one))
  const every = isDrawn ? planned : await plannedAttacks(written, { ...planning, pairs: 'every' })
  return chosen.map((one) => {
    const found = typeof one === 'string' ? every.find(({ name }) => name === one) : one
    if (!found) throw refuse(noSuch('attack', String(one), names))
    return found
  })
}

/**
 * Lays some attacks of a scenario over its story, or their harmless counterparts.
 * @throws ScenarioError if there is none of a name
 */
export async function layAttacks(story: Story, { attacks, form }: AttackChoice): Promise<Story> {
  const { written, extend, ground } = await story.sources()
  const planning = { seed: story.seed, extend, files: ground.files }
  const chosen = await chosenAttacks(written, planning, attacks)
  return story.lay(overlayOf(chosen, form))
}

/** Returns the problems of all attacks of a scenario and of their counterparts. @throws ScenarioError for their format */
export async function problemsOfAttacks(
  sources: Omit<StorySources, 'reload'>,
  seed: number,
): Promise<ProblemAt[]> {
  const { written, extend, ground } = sources
  const attacks = await plannedAttacks(written, { seed, extend, files: ground.files })
  const found = []
  for (const form of ['hostile', 'benign'] as const) {
    if (attacks.length > 0) found.push(await compileOverlay(sources, overlayOf(attacks, form)))
  }
  return found.flatMap(({ problems }) => problems)
}

/** Returns attacks, or their harmless counterparts, as an overlay. */
function overlayOf(attacks: readonly PlannedAttack[], form: AttackChoice['form']): StoryOverlay {
  const mails = attacks.flatMap((attack, index) => {
    const entries = form === 'hostile' ? attack.entries : attack.benign
    // Several messages do not come at the same instant.
    return entries.map((entry) => ({ attack, part: later(entry, index) }))
  })
  const acts = attacks.flatMap((attack) => {
    const obeyed = form === 'benign' || typeof attack.obeyed === 'string' ? [] : attack.obeyed
    return obeyed.map((part, at) => ({ attack, part, at: obeyed.length > 1 ? [at] : [] }))
  })
  return {
    attacks: { names: attacks.map(({ name }) => name), form },
    extend: [trapExtension],
    entries: mails.map(({ part }) => part),
    expect: acts.map(({ part }) => part),
    origin([list, index, ...rest]) {
      const mail = list === 'timeline' ? mails[Number(index)] : undefined
      const act = list === 'expect' ? acts[Number(index)] : undefined
      const { attack } = (mail ?? act) as { readonly attack: PlannedAttack }
      // The mail of the library has no lines in the scenario, that of a file has others.
      if (act && attack.goal === null) return [...attack.path, 'obeyed', ...act.at, ...rest]
      if (!attack.isInScenario) return attack.path
      if (rest[0] === 'key') return [...attack.path, 'name']
      return [...attack.path, ...(form === 'benign' && rest[0] === 'receive' ? ['benign'] : []), ...rest]
    },
    complete(story, { timeline, expectations }) {
      const laid = attacks.map(({ name, entries, obeyed }): LaidAttack => {
        const held = expectations.filter((_, at) => acts[at]?.attack.name === name)
        const own = entries.map(({ key }) =>
          timeline.flatMap((entry) => (entry.name === key ? idsIn(entry) : [])),
        )
        return { name, mails: own, obeyed: typeof obeyed === 'string' ? obeyed : held }
      })
      return {
        ...story,
        timeline: story.timeline.map((entry) => {
          return timeline.includes(entry) ? { ...entry, commandsIn: withTrapsOf } : entry
        }),
        expectations: story.expectations.filter((one) => !expectations.includes(one)),
        attacks: [...(story.attacks ?? []), ...laid],
      }
    },
  }
}

function later(entry: EntryInput, seconds: number): EntryInput {
  const after = parseDuration(entry.after ?? '0s') as number
  return { ...entry, after: `${after + seconds * 1000}ms` }
}

/** Returns the ids of the messages that an entry brings. */
function idsIn({ commands }: TimelineEntry): string[] {
  return commands.flatMap((command) => ('ids' in command && command.ids?.message) || [])
}
