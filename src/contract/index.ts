export {
  addedNames,
  adviceOf,
  combineExtensions,
  type Extension,
  ExtensionError,
  type ExtensionFields,
  type ExtensionGap,
  type ExtensionInput,
  type ExtensionOperation,
  type Extensions,
  everyOperationName,
  extensionMethods,
  gapOf,
  joinExtensions,
  noExtensions,
  type PlainHandler,
  type ResourceName,
  resourceNames,
} from './extensions.js'
export { type Assumption, evidenceNote, type Gap, type Need } from './gaps/gap.js'
export {
  type AssumptionOf,
  type Assumptions,
  assumptionsOf,
  defaultAssumptions,
  type GapId,
  gapIds,
  gaps,
} from './gaps.js'
export type { ExtensionAssumptions, NamedAssumptions, NamedGap } from './named-assumptions.js'
export type { OperationObject, ParameterObject, SchemaObject } from './openapi/document.js'
export { describedBy, json } from './openapi/paths.js'
export { pathOf, schemaOf, writeSchemas } from './openapi/schemas.js'
export { createOpenApi } from './openapi.js'
export {
  type AnyOperationName,
  type DocumentedOperation,
  type ExtensionOperations,
  limits,
  type NamedOperation,
  type OperationName,
  operationName,
  operationNames,
  operations,
} from './operations.js'
export {
  type AttachmentEntry,
  attachmentEntrySchema,
  authTokenSchema,
  type EventType,
  eventTypes,
  type Identity,
  type IdentityPatch,
  identityPatchSchema,
  identitySchema,
  type Message,
  messageSchema,
  type Thread,
  threadSchema,
  type Webhook,
  webhookSchema,
  webhookUrlSchema,
} from './resources.js'
export { statusTexts } from './statuses.js'
