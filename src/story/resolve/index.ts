export { assumptionProblem, choiceProblems } from './choices.js'
export { type Enclosed, type FileToAttach, readEnclosures } from './enclosures.js'
export { type EntryFrame, entryFields, exactlyOne, problemWithTime, times } from './entry.js'
export { Lookups, placeOf, type ThreadWanted } from './lookups.js'
export type { FiledMail } from './mail-folder.js'
export {
  type BroughtMail,
  type KeyedMessage,
  type KeyedThread,
  Names,
  nameInMailbox,
  namesOfEntries,
  type ResolvedEntry,
} from './names.js'
export {
  type Agent,
  fieldAt,
  type MessagePart,
  nameOfMessage,
  nameParts,
  type OrganizationPart,
  organizationsOf,
  type Place,
  type ThreadPart,
} from './parts.js'
