export {
  type Compilation,
  type CompilationInput,
  type ComposeBody,
  createCompilation,
  type LoadProgress,
  type OnProgress,
} from './compilation.js'
export {
  addFileRow,
  addThreadRows,
  type Conversation,
  directionOf,
  type MergedMail,
  mailInForms,
  mailOf,
  mergeMail,
  messageRow,
  type NewMessage,
} from './mail.js'
export { MovedBaseBuilder } from './moved-base.js'
export { type CreateFaker, loadFaker, readOwnKinds } from './wording.js'
