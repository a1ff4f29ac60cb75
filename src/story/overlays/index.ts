export { compileOverlay, lay } from './lay.js'
export { type MailboxSizes, type WrittenIdentity, withMailboxes } from './mailboxes.js'
export type { EntryInput, Moves } from './moves.js'
export {
  type ExpectationInput,
  type Story,
  type StoryOverlay,
  type StorySources,
  storyOf,
} from './story.js'
export { writtenWith } from './written.js'
