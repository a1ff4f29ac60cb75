import { adviceOf, gapOf, noExtensions } from '../../../contract/extensions.js'
import { namesOfAssumptions } from '../../../contract/gaps/gap.js'
import { resolveAssumptions, setAssumptions } from '../../../story/edits.js'
import type { Disturbance, Kind, PlannedDisturbance } from '../disturbance.js'

/** The gaps that belong to another kind. */
const others: readonly string[] = ['events.listed']

export const assumptionKind: Kind = {
  name: 'assumptions',
  planned({ relied, story: { timeline } }) {
    const told = new Set(timeline.flatMap((entry) => Object.keys(entry.assumptions ?? {})))
    return [...relied.values()].flatMap(({ gap, instead, fixed, pinned }) => {
      if (fixed || pinned || told.has(gap) || others.includes(gap)) return []
      return instead.map((assumption): PlannedDisturbance => {
        const id = `assumptions/${gap}/${assumption}`
        return { id, group: gap, ...(id === 'assumptions/threads.total/page-size' && { rank: 10 }) }
      })
    })
  },
  disturbance(id, { story }): Disturbance | undefined {
    const [kind, gap = '', assumption = '', ...rest] = id.split('/')
    const { gaps } = story.extensions ?? noExtensions
    const known = gapOf(gap, gaps)
    if (kind !== 'assumptions' || rest.length > 0 || !known) return undefined
    if (!namesOfAssumptions(known).includes(assumption)) return undefined
    return {
      id,
      kind: 'assumptions',
      words: `${gap} has the assumption ${assumption}`,
      advice: adviceOf(gap, gaps),
      edit: (document) => setAssumptions(resolveAssumptions(document, story), { [gap]: assumption }),
      assumption: { gap: gap as never, assumption },
    }
  },
  judges: () => true,
}
