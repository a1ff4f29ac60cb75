import './base/platform.js'

export type { DeliveryMatch } from './story/expectations/delivery.js'
export type { AsymmetricMatcher, Match } from './story/expectations/match.js'
export type { ExchangeMatch } from './story/expectations/request.js'
export type { SentMatch } from './story/expectations/sent.js'
export type { AddressMatch } from './story/expectations/sent-parts.js'

// First, since other modules need it when they are loaded.

export {
  type Extension,
  ExtensionError,
  type ExtensionFields,
  type ExtensionGap,
  type ExtensionInput,
  type ExtensionOperation,
} from './contract/extensions.js'
export type { Assumption, Gap } from './contract/gaps/gap.js'
export { type AssumptionOf, type Assumptions, type GapId, gaps } from './contract/gaps.js'
export type { ExtensionAssumptions, NamedAssumptions, NamedGap } from './contract/named-assumptions.js'
export type {
  AnyOperationName,
  ExtensionOperations,
  NamedOperation,
  OperationName,
} from './contract/operations.js'
export type {
  AttachmentEntry,
  EventType,
  Identity,
  IdentityPatch,
  Message,
  Thread,
  Webhook,
} from './contract/resources.js'
export type { FileInput, ReceiveInput, SendInput, StoredMail } from './doors/controls/mail.js'
export type { IdentityInput, ListOptions, ThreadListOptions } from './doors/controls/mailboxes.js'
export type { WebhookInput } from './doors/controls/webhooks.js'
export type { WorldSummary } from './doors/controls/world-view.js'
export type { Attack, AttackNames } from './doors/simulator/attacks.js'
export { createSimulator } from './doors/simulator/create-simulator.js'
export {
  type DeliveryDescription,
  type MailboxMatchers,
  mailboxMatchers,
  type RequestMatch,
  type SentDescription,
  type ThreadDescription,
} from './doors/simulator/matchers.js'
export type { ForkOptions, SentFilter, SimulatorOptions, WorldOptions } from './doors/simulator/options.js'
export { Simulator } from './doors/simulator/simulator.js'
export { TraceError } from './doors/simulator/trace.js'
export {
  type DeliveryWanted,
  type SentWanted,
  type ThreadMatch,
  WaitError,
  type WaitOptions,
} from './doors/simulator/wait-for.js'
export type { AssumptionsInput } from './service/assumptions/assumptions.js'
export type { Reliance, RelianceSummary } from './service/assumptions/settle.js'
export type {
  ExtensionContext,
  ExtensionState,
  FileToSend,
  MailToSend,
  ResourceRenderer,
  WorldReader,
} from './service/extensions/define-extension.js'
export {
  defineExtension,
  type ExtensionTools,
  type FieldsInput,
  type GapInput,
  type OperationInput,
} from './service/extensions/define-extension.js'
export type { Fault, FaultInput } from './service/faults/fault.js'
export type { FaultRule } from './service/faults/fault-rules.js'
export { WorldError } from './service/model/errors.js'
export type { MessageAddresses } from './service/rendering/header-fields.js'
export type { FieldsContext } from './service/rendering/resources.js'
export type { ClockMode, Duration } from './service/time/time.js'
export type { Deliveries, DeliveryFilter } from './service/webhooks/deliveries.js'
export type {
  AttemptCause,
  AttemptError,
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
} from './service/webhooks/delivery.js'
export type { DeliveryFormat } from './service/webhooks/delivery-format.js'
export type { Receiver } from './service/webhooks/transport.js'
export type { WorldEvent, WorldEventType } from './service/world/entries.js'
export type { Exchange } from './service/world/exchange.js'
export type { ExchangeFilter } from './service/world/log.js'
export type { SentMessage, ShownFile } from './service/world/sent-mail.js'
export type { Snapshot } from './service/world/snapshot.js'
export type { PlayedEntry } from './service/world/story-entry.js'
export type { LoadProgress } from './story/compile/compilation.js'
export type { ScenarioInput } from './story/format/scenario.js'
export type { ShippedScenarioName } from './story/read/define-scenario.js'
export {
  defineScenario,
  type ScenarioContext,
  type ScenarioDefinition,
  type ScenarioFunction,
} from './story/read/define-scenario.js'
export type { ExtensionSource } from './story/read/extensions.js'
export { ScenarioError, type ScenarioProblem } from './story/read/problem.js'
