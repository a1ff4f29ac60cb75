import type { ExtensionGap } from '../extensions.js'
import { describeAssumptions, type Gap } from '../gaps/gap.js'
import { type Assumptions, type GapId, gaps } from '../gaps.js'
import type { GapNote, Notes } from './document.js'

/** Returns the notes of the gaps that concern an operation, a field such as `Thread.snippet`, or `events`. */
export type NoteGaps = (subject: string) => Pick<Notes, 'x-gaps'>

/** Creates the function that notes gaps with their possible assumptions and, if there are any, with the ones in force. */
export function createNoteGaps(
  assumptions: Assumptions | undefined,
  own: ReadonlyMap<string, ExtensionGap>,
): NoteGaps {
  const all: (readonly [string, Gap])[] = [...Object.entries(gaps), ...own]
  return (subject) => {
    const notes = all
      .filter(([, { concerns }]) => concerns.includes(subject))
      .map(([id, gap]) => noteOf(id, gap, assumptions))
    return notes.length === 0 ? {} : { 'x-gaps': notes }
  }
}

function noteOf(id: string, gap: Gap, assumptions: Assumptions | undefined): GapNote {
  const { question, parts } = gap
  const all = describeAssumptions(gap)
  const first = all[0]?.name as string
  return {
    id: id as GapId,
    question,
    assumptions: all.map(({ name, means }) => ({ name, means })),
    default: first,
    ...(assumptions && { assumption: assumptions[id as GapId] ?? first }),
    part: parts.join(', '),
  }
}
