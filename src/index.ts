export type {
  AddressMatch,
  AsymmetricMatcher,
  DeliveryMatch,
  ExchangeMatch,
  Match,
  SentMatch,
} from './story/expectations/index.js'

// First, since other modules need it when they are loaded.
import './base/platform.js'

export {
  type AnyOperationName,
  type AttachmentEntry,
  type EventType,
  type Extension,
  ExtensionError,
  type ExtensionFields,
  type ExtensionGap,
  type ExtensionInput,
  type ExtensionOperation,
  type Gap,
  type GapId,
  gaps,
  type Identity,
  type IdentityPatch,
  type Message,
  type OperationName,
  type PlainHandler,
  type Reading,
  type ReadingOf,
  type Readings,
  type Thread,
  type Webhook,
} from './contract/index.js'
export {
  type Attack,
  type AttackNames,
  createSimulator,
  type DeliveryDescription,
  type DeliveryWanted,
  type FileInput,
  type ForkOptions,
  type IdentityInput,
  type ListOptions,
  type MailboxMatchers,
  mailboxMatchers,
  type ReceiveInput,
  type RequestMatch,
  type SendInput,
  type SentDescription,
  type SentFilter,
  type SentWanted,
  Simulator,
  type SimulatorOptions,
  type StoredMail,
  type ThreadDescription,
  type ThreadListOptions,
  type ThreadMatch,
  TraceError,
  WaitError,
  type WaitOptions,
  type WebhookInput,
  type WorldOptions,
  type WorldSummary,
} from './doors/simulator/index.js'
export {
  defineExtension,
  type ExtensionContext,
  type ExtensionState,
  type ExtensionTools,
  type FieldsInput,
  type FileToSend,
  type GapInput,
  type MailToSend,
  type OperationInput,
  type ResourceRenderer,
  type WorldReader,
} from './service/extensions/index.js'
export type { Fault, FaultRule } from './service/faults/index.js'
export {
  ClockError,
  CommandError,
  FaultError,
  ReadingError,
  SnapshotError,
  WorldError,
} from './service/model/index.js'
export type { ReadingsInput, Reliance, RelianceSummary } from './service/readings/index.js'
export type { WorldEvent, WorldEventType } from './service/record/index.js'
export type { FieldsContext, MessageAddresses } from './service/rendering/index.js'
export type { ClockMode } from './service/time/index.js'
export type {
  AttemptCause,
  AttemptError,
  Deliveries,
  Delivery,
  DeliveryAttempt,
  DeliveryFilter,
  DeliveryFormat,
  DeliveryStatus,
  Receiver,
} from './service/webhooks/index.js'
export type {
  Exchange,
  ExchangeFilter,
  Har,
  HarContent,
  HarEntry,
  HarLog,
  HarPair,
  HarRequest,
  HarResponse,
  PlayedEntry,
  SentMessage,
  ShownFile,
  Snapshot,
} from './service/world/index.js'

export {
  defineScenario,
  type ExtensionSource,
  type LoadProgress,
  type ScenarioContext,
  type ScenarioDefinition,
  ScenarioError,
  type ScenarioFunction,
  type ScenarioInput,
  type ScenarioProblem,
} from './story/index.js'
