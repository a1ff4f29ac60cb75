import { adviceOf, gapOf, noExtensions } from '../../../contract/extensions.js'
import { namesOfAssumptions } from '../../../contract/gaps/gap.js'
import type { Kind } from '../disturbance.js'
import { assuming } from './used.js'

/** The gaps that belong to another kind. */
const others: readonly string[] = ['events.listed']

export const assumptionKind: Kind = {
  planned({ relied, story: { timeline } }) {
    const told = timeline.flatMap((entry) => Object.keys(entry.assumptions ?? {}))
    return [...relied].flatMap(([gap, instead]) => {
      if (told.includes(gap) || others.includes(gap)) return []
      return instead.map((assumption) => {
        const name = `${gap}/${assumption}`
        return { name, group: gap, rank: name === 'threads.total/page-size' ? 10 : undefined }
      })
    })
  },
  effect([gap = '', assumption = '', ...rest], { story }) {
    const { gaps } = story.extensions ?? noExtensions
    const known = gapOf(gap, gaps)
    if (rest.length > 0 || !known || !namesOfAssumptions(known).includes(assumption)) return undefined
    return {
      words: `${gap} has the assumption ${assumption}`,
      advice: adviceOf(gap, gaps),
      edit: (document) => assuming(document, story, { [gap]: assumption }),
      assumption: { gap: gap as never, assumption },
    }
  },
  judges: () => true,
}
