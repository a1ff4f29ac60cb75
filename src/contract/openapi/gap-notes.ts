import { type GapId, gapIds, gaps, type Readings, readingsOf } from '../gaps.js'
import type { GapNote, Notes } from './document.js'

/** Writes gaps beside what they concern; nothing where there are none. */
export type NoteGaps = (ids: readonly GapId[]) => Pick<Notes, 'x-gaps'>

/** Notes gaps with their possible readings and, where some are in force, with the one in force. */
export function createNoteGaps(readings: Readings | undefined): NoteGaps {
  return (ids) => (ids.length === 0 ? {} : { 'x-gaps': ids.map((id) => noteOf(id, readings)) })
}

/** The gaps of the register that concern an operation, a field such as `Thread.snippet`, or `events`. */
export function gapsConcerning(subject: string): GapId[] {
  return gapIds.filter((id) => gaps[id].concerns.includes(subject))
}

/** Those of some gaps that concern a subject as well. */
export function gapsAlsoConcerning(subject: string, ids: readonly GapId[] = []): GapId[] {
  return ids.filter((id) => gaps[id].concerns.includes(subject))
}

function noteOf(id: GapId, readings: Readings | undefined): GapNote {
  const { question, parts } = gaps[id]
  return {
    id,
    question,
    readings: readingsOf(id).map(({ name, means }) => ({ name, means })),
    default: gaps[id].readings[0].name,
    ...(readings && { reading: readings[id] }),
    part: parts.join(', '),
  }
}
