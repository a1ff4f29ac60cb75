export {
  EventFeed,
  EventFeedReader,
  type StoredWorldEvent,
  type WorldEvent,
  type WorldEventType,
  worldEventTypes,
} from './event-feed.js'
export { History, type HistoryOrigin, type PastChange } from './history.js'
export { isBeginning, type LoggedChange, type WholeParts, WorldLog } from './log.js'
export { Masker, mask, secretsInUrl } from './masker.js'
export { Recorder, type RecordingWorld } from './recorder.js'
export { RingBuffer } from './ring-buffer.js'
