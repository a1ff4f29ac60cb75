import type { ScenarioInput } from '../format/scenario.js'
import { withMailboxes } from './mailboxes.js'
import { withForms } from './message-forms.js'
import { movedTimeline } from './moves.js'
import type { StoryOverlay } from './story.js'

/** The parts of an overlay that a scenario can have. */
type WrittenOverlay = Pick<StoryOverlay, 'mailboxes' | 'forms' | 'moved' | 'entries' | 'expect'> & {
  readonly assumptions?: Readonly<Record<string, string>> | undefined
}

/** Returns a scenario with an overlay, in its written form. */
export function writtenWith(
  document: ScenarioInput,
  { assumptions, mailboxes, forms, moved = {}, entries = [], expect = [] }: WrittenOverlay,
): ScenarioInput {
  const read = assumptions
    ? { ...document, assume: { ...(document.assume as object), ...assumptions } }
    : document
  const formed = forms ? withForms(read, forms) : read
  const { timeline = [], ...sized } = mailboxes ? withMailboxes(formed, mailboxes) : formed
  return {
    ...sized,
    timeline: [...movedTimeline(timeline, moved), ...entries],
    ...(expect.length > 0 && { expect: [...(document.expect ?? []), ...expect] }),
  }
}
