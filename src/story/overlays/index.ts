export { compileOverlay, lay } from './lay.js'
export { type MailboxSizes, type WrittenIdentity, withMailboxes } from './mailboxes.js'
export {
  type EntryInput,
  type ExpectationInput,
  type Overlay,
  type Story,
  type StorySources,
  storyOf,
} from './story.js'
