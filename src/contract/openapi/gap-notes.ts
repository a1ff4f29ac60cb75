import type { ExtensionGap } from '../extensions.js'
import type { Gap } from '../gaps/gap.js'
import { type GapId, gaps, type Readings } from '../gaps.js'
import type { GapNote, Notes } from './document.js'

/** Returns the notes of the gaps that concern an operation, a field such as `Thread.snippet`, or `events`. */
export type NoteGaps = (subject: string) => Pick<Notes, 'x-gaps'>

/** Creates the function that notes gaps with their possible readings and, if there are any, with the ones in force. */
export function createNoteGaps(
  readings: Readings | undefined,
  own: ReadonlyMap<string, ExtensionGap>,
): NoteGaps {
  const all: (readonly [string, Gap])[] = [...Object.entries(gaps), ...own]
  return (subject) => {
    const notes = all
      .filter(([, { concerns }]) => concerns.includes(subject))
      .map(([id, gap]) => noteOf(id, gap, readings))
    return notes.length === 0 ? {} : { 'x-gaps': notes }
  }
}

function noteOf(id: string, gap: Gap, readings: Readings | undefined): GapNote {
  const { question, parts, readings: all } = gap
  return {
    id: id as GapId,
    question,
    readings: all.map(({ name, means }) => ({ name, means })),
    default: all[0].name,
    ...(readings && { reading: readings[id as GapId] ?? all[0].name }),
    part: parts.join(', '),
  }
}
