export { Clock, type ClockState } from './clock.js'
export { platform } from './platform-time.js'
export {
  canonicalJson,
  createRandom,
  hashText,
  hexOf,
  type IdCounts,
  IdSource,
  idOf,
  mixNumber,
  type Random,
  TextHash,
} from './random.js'
export {
  type ClockMode,
  clockModeSchema,
  type Duration,
  formatHttpDate,
  formatInstant,
  formatMailDate,
  instantSchema,
  parseClockMode,
  parseDuration,
  parseInstant,
  shownInUtc,
  speedOf,
} from './time.js'
export {
  createYielder,
  inTurns,
  lastOf,
  maxTimerDelay,
  type Pause,
  processorStopwatch,
  startPause,
  stopwatch,
  TimeLimitError,
  Timers,
  uniqueMark,
  wallTime,
  withinLimit,
  yieldToEventLoop,
} from './wall-time.js'
