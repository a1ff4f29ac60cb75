export type {
  ExtensionContext,
  ExtensionState,
  FileToSend,
  MailToSend,
  ResourceRenderer,
  WorldReader,
} from './context.js'
export {
  defineExtension,
  type ExtensionTools,
  type FieldsInput,
  type GapInput,
  type OperationInput,
} from './define-extension.js'
export { serviceOperation } from './perform.js'
