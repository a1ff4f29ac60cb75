export type { AddressMatch } from './story/expectations/recipients.js'
export type { SentMatch } from './story/expectations/sent-condition.js'

// First, since other modules need it when they are loaded.
import './base/platform.js'

export {
  type Extension,
  ExtensionError,
  type ExtensionFields,
  type ExtensionGap,
  type ExtensionInput,
  type ExtensionOperation,
  type PlainHandler,
} from './contract/extensions.js'
export { type Gap, type GapId, gaps, type Reading, type ReadingOf, type Readings } from './contract/gaps.js'
export type { AnyOperationName, OperationName } from './contract/operations.js'
export type {
  AttachmentEntry,
  EventType,
  Identity,
  IdentityPatch,
  Message,
  Thread,
  Webhook,
} from './contract/resources.js'
export type { Attack, AttackNames } from './doors/simulator/attacks.js'
export { createSimulator } from './doors/simulator/create-simulator.js'
export type { FileInput, ReceiveInput, SendInput, StoredMail } from './doors/simulator/mail.js'
export {
  type DeliveryDescription,
  type MailboxMatchers,
  mailboxMatchers,
  type RequestMatch,
  type SentDescription,
  type ThreadDescription,
} from './doors/simulator/matchers.js'
export type { ForkOptions, SentFilter, SimulatorOptions, WorldOptions } from './doors/simulator/options.js'
export type {
  IdentityInput,
  ListOptions,
  ThreadListOptions,
  WebhookInput,
  WorldSummary,
} from './doors/simulator/resources.js'
export { Simulator } from './doors/simulator/simulator.js'
export { TraceError } from './doors/simulator/trace.js'
export type { DeliveryWanted, SentWanted } from './doors/simulator/wait-for.js'
export { type ThreadMatch, WaitError, type WaitOptions } from './doors/simulator/wait-for.js'
export {
  defineExtension,
  type ExtensionContext,
  type ExtensionTools,
  type FieldsInput,
  type FileToSend,
  type GapInput,
  type MailToSend,
  type OperationInput,
  type ResourceRenderer,
  type WorldReader,
} from './service/operations/index.js'
export {
  type AttemptCause,
  type AttemptError,
  ClockError,
  type ClockMode,
  CommandError,
  type Deliveries,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryFormat,
  type DeliveryStatus,
  type Exchange,
  type ExchangeFilter,
  type Fault,
  FaultError,
  type FaultRule,
  type FieldsContext,
  type Har,
  type HarContent,
  type HarEntry,
  type HarLog,
  type HarPair,
  type HarRequest,
  type HarResponse,
  type MessageAddresses,
  type PlayedEntry,
  ReadingError,
  type ReadingsInput,
  type Receiver,
  type Reliance,
  type RelianceSummary,
  type SentMessage,
  type ShownFile,
  type Snapshot,
  SnapshotError,
  WorldError,
  type WorldEvent,
  type WorldEventType,
} from './service/world/index.js'
export type { DeliveryMatch } from './story/expectations/delivery.js'
export type { ExchangeMatch } from './story/expectations/request.js'

export type { AsymmetricMatcher, Match } from './story/expectations/values.js'
export type { ExtensionSource } from './story/index.js'
export {
  defineScenario,
  type LoadProgress,
  type ScenarioContext,
  type ScenarioDefinition,
  ScenarioError,
  type ScenarioFunction,
  type ScenarioInput,
  type ScenarioProblem,
} from './story/index.js'
