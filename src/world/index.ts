export { Clock, type ClockMode, parseClockMode, type Task } from './clock.js'
export { handlePattern } from './commands/create-identity.js'
export { type Command, type CommandOf, type CommandType, commands, type ResultOf } from './commands/index.js'
export type { AddedMail } from './commands/mail.js'
export { digestOf } from './digest.js'
export { ClockError, CommandError, FaultError, ReadingError } from './errors.js'
export type { Answer } from './faults/answer.js'
export { disturb, keepsAnswer, replacesOperation } from './faults/disturb.js'
export { delayOf } from './faults/effects/delay.js'
export { type Fault, faultSchema } from './faults/fault.js'
export type { FaultedRequest, FaultRule } from './faults/fault-rules.js'
export { whyNeverHit } from './faults/impossible.js'
export { Feed, type Happening, type HappeningType } from './feed.js'
export { type IdKind, idOf } from './ids.js'
export {
  type Exchange,
  type ExchangeFilter,
  Journal,
  type RecordedExchange,
  type RecordedFault,
  type RelianceSummary,
} from './journal.js'
export { type Pause, startPause } from './pause.js'
export { createRandom, mixNumber, type Random } from './random.js'
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
export {
  type Branches,
  createSettle,
  createSilentSettle,
  type NoteReliance,
  type Reliance,
  type Settle,
  type Use,
} from './settle.js'
export { breathe, formatInstant, formatMailDate, parseDuration, parseInstant, stopwatch } from './time.js'
export { type PlayedEntry, Timeline, type TimelineEntry } from './timeline.js'
export { type Beginning, World } from './world.js'
export { type Destination, type ForkedWorld, Worlds } from './worlds.js'
