import { isJsonObject } from '../../base/json.js'
import { z } from '../../base/schema.js'
import { gapOf } from '../../contract/extensions.js'
import { type Assumption, describeAssumptions, type Gap } from '../../contract/gaps/gap.js'
import { type Assumptions, type GapId, gapIds } from '../../contract/gaps.js'
import type { NamedAssumptions } from '../../contract/named-assumptions.js'
import {
  type AssumptionChoices,
  isProfileName,
  parseChoice,
  profileAssumptions,
} from '../../service/assumptions/assumptions.js'
import { type Controlled, control, listNamed } from './control.js'

/** A gap and the assumption that a world has chosen for it. */
export interface GapAssumption extends Pick<Gap, 'question' | 'worst' | 'advice' | 'evidence'> {
  readonly gap: GapId
  readonly assumptions: readonly Assumption[]
  /** The assumption in force. */
  readonly assumption: string
  /** Who chose it: `default`, `scenario`, `MAILBOX_SIM_ASSUME`, … */
  readonly from: string
}

/** Reads and changes the assumptions of a world. */
export const assumptions = {
  /** Returns the assumption in force for each gap. */
  current: control({ perform: ({ view }: Controlled): Assumptions => view.world.assumptions }),

  /** Returns who chose the assumption of each gap: `default`, `scenario`, `MAILBOX_SIM_ASSUME`, … */
  origins: control({
    perform: ({ view }: Controlled): Readonly<Record<GapId, string>> => view.world.origins,
  }),

  /** Returns every gap with all its assumptions and the one in force. */
  register: control({
    perform({ view: { world } }: Controlled): GapAssumption[] {
      const { assumptions, origins, extensions } = world
      const ids = [...gapIds, ...(extensions.gaps.keys() as IterableIterator<GapId>)]
      return ids.map((gap) => {
        const described = gapOf(gap, extensions.gaps) as Gap
        const { question, worst, advice, evidence } = described
        const choice = { assumption: assumptions[gap], from: origins[gap] }
        const about = { worst, advice, evidence }
        return { gap, question, ...choice, assumptions: describeAssumptions(described), ...about }
      })
    },
  }),

  /** Changes the assumptions of some gaps. @throws WorldError @example sim.assumptions.set({ 'threads.total': 'page-size' }) */
  set: control({
    route: 'PATCH /assumptions',
    summary: 'Changes the given assumptions; if one of them is invalid, none is changed.',
    body: assumptionChoices,
    whole: 'choices',
    answer: listNamed('gaps'),
    perform({ view }: Controlled, choices: NamedAssumptions): void {
      if (typeof choices !== 'object' || choices === null) {
        throw new TypeError(
          "assumptions.set takes an object such as { 'threads.total': 'page-size' }; a profile or a file is chosen as the " +
            'option assumptions of a simulator.',
        )
      }
      view.world.setAssumptions(choices as AssumptionChoices)
    },
    show: (_, on) => show(on),
  }),
}

/** The routes of assumptions and reliances that are no methods of theirs in the library. */
export const assumptionRoutes = [
  control({
    route: 'GET /assumptions',
    summary: 'Shows the assumption of every gap, and where each choice comes from.',
    answer: listNamed('gaps'),
    perform: show,
  }),
  control({
    route: 'GET /reliances',
    summary: 'Lists the gaps on which responses and deliveries depend so far.',
    answer: listNamed('reliances'),
    perform: ({ view }: Controlled) => ({ reliances: view.world.reliances() }),
  }),
]

function show(on: Controlled): object {
  const { assumptions: inForce, origins } = on.view.world
  return { assumptions: inForce, origins, gaps: assumptions.register.perform(on) }
}

/** Returns the schema of assumptions by gap. */
export function assumptionChoices() {
  return z
    .custom<AssumptionChoices>(isJsonObject, {
      error: 'expected a JSON object of assumptions by gap, such as {"threads.total": "page-size"}',
    })
    .superRefine((choices, context) => {
      for (const [gap, assumption] of Object.entries(choices)) {
        if (typeof assumption === 'string') continue
        const wrong = `the assumption of "${gap}" must be a string, such as "page-size" or "401"`
        const message = gap === 'assumptions' ? 'leave out the wrapper "assumptions"' : wrong
        context.addIssue({ code: 'custom', message })
      }
    })
    .meta({ type: 'object', additionalProperties: { type: 'string' }, description: 'Assumptions by gap.' })
}

/** Returns the schema of a profile, or `gap=assumption,…`; never a file, because clients must not make the server read files. */
export function assumptionsByName() {
  return z.string().transform((text): string | AssumptionChoices => {
    if (isProfileName(text)) return text
    const choices = text.includes('=') ? text.split(',').map(parseChoice) : [profileAssumptions(text)]
    return Object.assign({}, ...choices)
  })
}
