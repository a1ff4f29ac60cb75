export { compileOverlay, lay } from './lay.js'
export { type MailboxSizes, type WrittenIdentity, withMailboxes } from './mailboxes.js'
export {
  type EntryInput,
  type ExpectationInput,
  type Story,
  type StoryOverlay,
  type StorySources,
  storyOf,
} from './story.js'
