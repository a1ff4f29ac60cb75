import type { Path } from '../../base/mistake.js'
import { parseDuration } from '../../service/time/time.js'
import type { TimelineEntry } from '../../service/world/story-entry.js'
import type { EntryInput } from '../edits.js'
import type { LaidAttack } from '../expectations/expectation-checker.js'
import type { ScenarioInput } from '../format/scenario.js'
import type { ScenarioDefinition } from '../read/define-scenario.js'
import type { ExtensionSource } from '../read/extensions.js'
import { filesBeside, type ScenarioFiles, shippedFiles } from '../read/files.js'
import { noSuch, type ProblemAt, refusal } from '../read/problem.js'
import { checkScenario, readWritten, type WrittenScenario } from '../read/read-scenario.js'
import type { Story } from '../story.js'
import {
  attacksInFile,
  commonAttacks,
  type PlannedAttack,
  replaceIn,
  type StoryMeans,
  trapOf,
  type WrittenAttack,
  withTrapsOf,
} from './library.js'

/** By what the attacks of a scenario are planned. */
interface AttackPlanning extends Pick<StoryMeans, 'seed'> {
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
    return attacksInFile(rows, files, { means, path, write: writtenAttack, problems })
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
  /** Whether their messages come, or those of their harmless versions. */
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

/** Lays attacks over a scenario, or their harmless versions. */
export function underAttack(
  plain: WrittenScenario,
  attacks: readonly PlannedAttack[],
  form: AttackChoice['form'],
) {
  const { timeline = [], expect = [] } = plain.value as ScenarioInput
  const mails = attacks.flatMap((attack, index) => {
    const entries = form === 'hostile' ? attack.entries : attack.benign
    // Several messages do not come at the same instant.
    return entries.map((entry) => ({ attack, part: later(entry, index) }))
  })
  const acts = attacks.flatMap((attack) => {
    const obeyed = form === 'benign' || typeof attack.obeyed === 'string' ? [] : attack.obeyed
    return obeyed.map((part, at) => ({ attack, part, at: obeyed.length > 1 ? [at] : [] }))
  })
  const value = {
    ...plain.value,
    timeline: [...timeline, ...mails.map(({ part }) => part)],
    expect: [...expect, ...acts.map(({ part }) => part)],
  }
  const origin = (path: Path): Path => {
    const [list, index, ...rest] = path
    const mail = list === 'timeline' ? mails[Number(index) - timeline.length] : undefined
    const act = list === 'expect' ? acts[Number(index) - expect.length] : undefined
    const { attack } = mail ?? act ?? {}
    if (!attack) return path
    // The mail of the library has no lines in the scenario, that of a file has others.
    if (act && attack.goal === null) return [...attack.path, 'obeyed', ...act.at, ...rest]
    if (!attack.isInScenario) return attack.path
    if (rest[0] === 'key') return [...attack.path, 'name']
    return [...attack.path, ...(form === 'benign' && rest[0] === 'receive' ? ['benign'] : []), ...rest]
  }
  const keys = new Set(mails.map(({ part }) => part.key))
  return {
    /** The scenario with their mail, and with what holds if the agent obeys, after its own entries and expectations. */
    written: { ...plain, value },
    /** Returns a problem of what was added at the place in the scenario that caused it. */
    placed: ({ path, place, ...problem }: ProblemAt): ProblemAt => {
      return { ...problem, path: origin(path), ...(place && { place: origin(place) }) }
    },
    /** Returns the compiled scenario with what was added as attacks. */
    complete<Compiled extends Pick<Story, 'timeline' | 'expectations'>>(compiled: Compiled) {
      const held = compiled.expectations.slice(expect.length)
      const laid = attacks.map(({ name, entries, obeyed }): LaidAttack => {
        const own = entries.map(({ key }) => {
          return compiled.timeline.flatMap((entry) => (entry.name === key ? idsIn(entry) : []))
        })
        const shown = held.filter((_, at) => acts[at]?.attack.name === name)
        return { name, mails: own, obeyed: typeof obeyed === 'string' ? obeyed : shown }
      })
      return {
        ...compiled,
        timeline: compiled.timeline.map((entry) => {
          return keys.has(entry.name) ? { ...entry, commandsIn: withTrapsOf } : entry
        }),
        expectations: compiled.expectations.slice(0, expect.length),
        attacks: laid,
        attacksForm: form,
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

/** Which attacks of a scenario are read. */
export interface AttackOptions extends Partial<Pick<AttackChoice, 'attacks'>>, Pick<AttackPlanning, 'pairs'> {
  readonly seed?: number | undefined
  /** Extensions in addition to those that the scenario names. */
  readonly extend?: readonly ExtensionSource[] | undefined
  /** Whether the scenario comes from a client that may not read this machine's files. */
  readonly shippedOnly?: boolean | undefined
}

/**
 * Returns the attacks of a scenario, by default all of them, without building its mailboxes.
 * @throws ScenarioError, also if there are none
 */
export async function loadAttacks(
  scenario: string | ScenarioDefinition,
  { attacks = 'all', extend = [], shippedOnly, pairs, ...options }: AttackOptions = {},
): Promise<readonly PlannedAttack[]> {
  const written = await readWritten(scenario, { seed: options.seed, shippedOnly })
  const { seed } = checkScenario(written)
  const files = shippedOnly ? shippedFiles() : filesBeside(written.url)
  return chosenAttacks(written, { seed: options.seed ?? seed, extend, files, pairs }, attacks)
}

/** Returns which attacks a scenario itself wants to be played. A scenario with mistakes is not refused. @throws ScenarioError */
export async function attackModeOf(
  scenario: string | ScenarioDefinition,
): Promise<NonNullable<ScenarioInput['attack_mode']>> {
  const { value } = await readWritten(scenario)
  const { attack_mode: mode } = Object(value) as Partial<ScenarioInput>
  return mode === 'all' ? mode : 'none'
}
