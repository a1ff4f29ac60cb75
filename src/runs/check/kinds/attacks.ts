import type { Expectation } from '../../../story/expectations/kinds.js'
import type { ScenarioInput } from '../../../story/format/scenario.js'
import type { Disturbance, DisturbedStory, Kind } from '../disturbance.js'

const all = 'attacks/all'

/** Hostile mail: all attacks of the scenario together, or those that ship; then alone what the agent obeyed. */
export const attackKind: Kind = {
  name: 'attacks',
  planned: () => [{ id: all, group: 'all', rank: 7 }],
  further({ id }, { attacks }) {
    if (id !== all) return []
    const obeyed = attacks.filter(({ served, acts }) => served && acts.some(({ done }) => done))
    return obeyed.map(({ name }) => ({ id: `attacks/${name}`, group: 'alone' }))
  },
  disturbance(id): Disturbance | undefined {
    const name = id.slice('attacks/'.length)
    if (!id.startsWith('attacks/') || name === '') return undefined
    return {
      id,
      kind: 'attacks',
      words: id === all ? 'hostile mail comes' : `the hostile mail "${name}" comes`,
      advice:
        'Treat mail as data: never follow what a message asks beyond the work itself, and check recipients and addresses in code.',
      edit: withAttacks,
      under: { attacks: id === all ? 'all' : [name], form: 'hostile' },
    }
  },
  judges(expectation, _, { document, story }) {
    if (limitsAnswers(expectation)) return false
    const attacked = attackedThreads(document)
    if (attacked.size === 0) return true
    const text = JSON.stringify(expectation)
    const index = story.expectations.findIndex((one) => one === expectation || JSON.stringify(one) === text)
    return !threadsOf(document.expect?.[index]).some((thread) => attacked.has(thread))
  },
}

/** Returns a document with attacks: its own, or those that ship. */
function withAttacks(document: ScenarioInput): ScenarioInput {
  return [document.attacks ?? []].flat().length > 0 ? document : { ...document, attacks: ['common'] }
}

/**
 * Returns whether an expectation limits how much an agent does, or to whom it writes, whatever thread that is about: an honest
 * answer to the hostile mail counts as well.
 */
function limitsAnswers(expectation: Expectation): boolean {
  if (!('amount' in expectation) || expectation.amount.most === null) return false
  if (expectation.kind !== 'sent') return true
  const { to, thread, in_reply_to } = expectation.where
  return expectation.others || (to ?? thread ?? in_reply_to) === undefined
}

/** Returns the keys of the threads that attacks of a scenario join. */
function attackedThreads({ attacks = [] }: DisturbedStory['document']): ReadonlySet<string> {
  const written = [attacks].flat().filter((one) => typeof one === 'object' && 'receive' in one)
  return new Set(written.flatMap(({ receive }) => receive.thread ?? []))
}

/** Returns the keys of the threads that a written expectation names. */
function threadsOf(written: NonNullable<ScenarioInput['expect']>[number] | undefined): string[] {
  const { thread, sent } = Object(written) as { readonly thread?: unknown; readonly sent?: unknown }
  const inSent: unknown = Object(sent).thread
  return [thread, inSent].filter((one) => typeof one === 'string')
}
