export type { Beginning } from './beginning.js'
export { Clock } from './clock.js'
export { type ClockMode, parseClockMode, speedOf } from './clock-mode.js'
export { handlePattern } from './commands/create-identity.js'
export { type Command, type CommandOf, type CommandType, commands, type ResultOf } from './commands/index.js'
export type { AddedMail } from './commands/mail.js'
export { digestOf } from './digest.js'
export { ClockError, CommandError, FaultError, ReadingError, SnapshotError, WorldError } from './errors.js'
export {
  type AnsweredRequest,
  type Exchange,
  isText,
  type RecordedBody,
  type RecordedExchange,
  type RecordedFault,
} from './exchange.js'
export {
  type Amount,
  type DeliveryExpectation,
  type ErrorsExpectation,
  type Expectation,
  type ExpectationKind,
  type ExpectedValue,
  expectationKinds,
  type Mark,
  type ReliancesExpectation,
  type RequestCondition,
  type RequestExpectation,
  type Span,
  type StateExpectation,
  type StoryWindow,
  type ThreadReference,
  type ValueCondition,
} from './expectation.js'
export type { Answer } from './faults/answer.js'
export { disturb, keepsAnswer, replacesOperation } from './faults/disturb.js'
export { delayOf } from './faults/effects/delay.js'
export { type Fault, faultSchema } from './faults/fault.js'
export type { FaultedRequest, FaultRule } from './faults/fault-rules.js'
export { whyNeverHit } from './faults/impossible.js'
export {
  Feed,
  type FeedGap,
  FeedReader,
  type Happening,
  type HappeningType,
  happeningTypes,
  type KeptHappening,
} from './feed.js'
export { createFingerprint } from './fingerprint.js'
export { harEntry } from './har/entry.js'
export type { Har, HarContent, HarEntry, HarLog, HarPair, HarRequest, HarResponse } from './har/format.js'
export { createHar, harLog } from './har/har.js'
export type { HeaderFields } from './header-fields.js'
export { type IdKind, idOf } from './ids.js'
export {
  type EntryFilter,
  type ExchangeFilter,
  Journal,
  type JournalEntry,
  type RecordedCommand,
} from './journal.js'
export { Masker } from './masking/masker.js'
export { type Pause, startPause } from './pause.js'
export { createRandom, hashText, mixNumber, type Random } from './random.js'
export { type ChosenReadings, chooseReadings, type ReadingsLayer } from './reading-layers.js'
export {
  isProfileName,
  parseChoice,
  parseGap,
  profileReadings,
  type ReadingChoices,
  type ReadingsInput,
  withChoices,
} from './readings.js'
export { type AddressedMail, whyNoRecipient } from './recipients.js'
export { type RelianceSummary, type Relied, summarizeReliances } from './reliance-summary.js'
export { joinReliances, Reliances } from './reliances.js'
export { renderIdentity } from './rendering/identity.js'
export { renderMessage } from './rendering/message.js'
export { type Render, RenderCache, Renderer } from './rendering/renderer.js'
export { renderThread } from './rendering/thread.js'
export { renderWebhook } from './rendering/webhook.js'
export {
  type Branches,
  createSettle,
  createSilentSettle,
  type NoteReliance,
  type Reliance,
  type Settle,
  type Use,
} from './settle.js'
export { type Snapshot, snapshotFormat, snapshotSchema, snapshotVersion } from './snapshot/document.js'
export type { Surroundings } from './surroundings.js'
export {
  breathe,
  formatDuration,
  formatInstant,
  formatMailDate,
  parseDuration,
  parseInstant,
  shownInUtc,
  stopwatch,
} from './time.js'
export { type PlayedEntry, Timeline, type TimelineEntry } from './timeline.js'
export { uniqueMark } from './unique.js'
export { answerOf, type IncomingAnswer, readAnswer } from './webhooks/answer-of.js'
export { Deliveries } from './webhooks/deliveries.js'
export {
  type AttemptCause,
  type AttemptError,
  attemptCauses,
  attemptErrorCodes,
  cameToSomebody,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryStatus,
  deliveryStatuses,
} from './webhooks/delivery.js'
export type { DeliveryFilter } from './webhooks/delivery-log.js'
export type { DeliveryRecord } from './webhooks/delivery-record.js'
export { isDeliveryRequest } from './webhooks/delivery-request.js'
export {
  capturing,
  type OutgoingRequest,
  type Outlet,
  OutletError,
  type ReceiverAnswer,
} from './webhooks/outlet.js'
export { type Receiver, receiveHere } from './webhooks/receivers.js'
export { secretOf } from './webhooks/secret.js'
export { World } from './world.js'
export { type Destination, type ForkedWorld, Worlds } from './worlds.js'
