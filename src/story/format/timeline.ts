import { z } from '../../base/schema.js'
import { actionFields, actionNames, actionOf } from '../actions/actions.js'
import { type EntryFrame, entryFields, exactlyOne, problemWithTime, times } from './entry.js'
import { having, rule } from './values.js'

/** Something that happens in the story, with its time. */
export const timelineEntry = z
  .strictObject({
    ...entryFields,
    ...actionFields(),
  })
  .check(rule(problemWithTime))
  .check(rule(exactlyOne('what happens', actionNames)))
  .check(rule(problemWith))
  .meta({
    id: 'timeline_entry',
    title: 'Timeline entry',
    description:
      'Something that happens after the start: at a time, `after` or `at`, or `when` something else does, and one thing ' +
      'that happens.',
    anyOf: times.map(having),
    not: { required: ['after', 'at'] },
    oneOf: actionNames.map(having),
  })

type WrittenEntry = z.output<typeof timelineEntry>

/** Returns what is wrong with an entry because of its action. */
function problemWith(written: Readonly<Record<string, unknown>>): string | undefined {
  const entry: EntryFrame = written as WrittenEntry
  const { action, value } = actionOf(written) ?? {}
  if (entry.event_delay !== undefined && !action?.hasEvent) {
    return '"event_delay" is only for mail and its outcomes, which have events'
  }
  if (entry.when && entry.repeat) {
    if (!action?.repeatsAtOnce) {
      return '"repeat" with "when" is only for mail; write an entry for each "when"'
    }
    if (entry.repeat.every !== '0s')
      return 'with "when", all repetitions happen simultaneously; leave out "every"'
  }
  return action?.problemWith?.(value, entry)
}
