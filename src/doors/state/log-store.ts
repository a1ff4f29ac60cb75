import { crc32 } from 'node:zlib'
import type { WorldRecord } from '../../service/world/worlds.js'
import type { StateStart } from './state-start.js'

/** The readable part of a log. */
export interface ReadLog {
  /** Reads the batches that count, up to the first damage, in order, each a JSON list of entries. */
  batches(): AsyncIterable<string>
  /** Their length, in characters; 0 if there are none. */
  readonly length: number
  /** The length of those with which the log begins, if they hold a whole world. */
  readonly beginning: number
  /** The first damage; undefined if the whole log can be read. */
  readonly problem?: string | undefined
}

/** The result of claiming a world: the right to append to its log unless that is damaged, and its content. */
export interface Claim extends ReadLog {
  /** Grows with every claim of the world; the store refuses batches of earlier epochs from then on. */
  readonly epoch: number
  /** The number of the last batch of this epoch. */
  readonly sequence: number
  /** Whether the store has no trace of an earlier claim, in stores where claims leave one. */
  readonly isNew: boolean
  /** Whether another process may still serve reads of the world until its lease expires. */
  readonly isShared: boolean
  /** The number after which this owner numbers events and exchanges; greater than those of all earlier owners. */
  readonly before: number
}

/**
 * Returns the number after which an owner numbers its events if it claims a world at that instant, in
 * milliseconds since the epoch. With a hundred numbers for each millisecond, no owner reaches the first
 * number of the next one.
 */
export function numberBefore(instant: number): number {
  return instant * 100
}

/** A batch of entries, and its position in a log. */
export interface Batch {
  readonly id: string
  readonly epoch: number
  readonly sequence: number
  /** A JSON list of entries, with a mark if it is one of several for a whole world. */
  readonly entries: string
}

/** Returns the checksum of a key and its text, 8 hexadecimal digits; it detects changed and misplaced texts. */
export function checksum(key: string, text: string): string {
  return crc32(text, crc32(key)).toString(16).padStart(8, '0')
}

/** Returns the number in the id of a world, for sorting records. */
export function numberOf({ id }: WorldRecord): number {
  return Number(id.replace(/\D/g, ''))
}

/** Stores the logs of worlds outside of this process. Every method throws a StateError on failure. */
export interface LogStore {
  /** The store's name in messages, without secrets. */
  readonly name: string
  /**
   * Milliseconds for which an owner may serve reads before it must confirm its ownership; Infinity in a store
   * with one user.
   */
  readonly lease: number
  /** Opens the state, or creates it with that start; returns the start that it was created with. */
  open(start: StateStart): Promise<StateStart>
  /** Replaces the start by one that continues it. */
  continueWith(start: StateStart): Promise<void>
  /** Returns the start that the state was created with; undefined if there is no state. */
  start(): Promise<StateStart | undefined>
  /**
   * Claims a world. Undefined if another process may own it and `isAwaited` returns false, since the client may have gone
   * there; `ownEpoch` is the last epoch of this process.
   */
  claim(id: string, ownEpoch: number | undefined, isAwaited: () => boolean): Promise<Claim | undefined>
  /** Returns whether nobody has claimed the world after that epoch. */
  isOwner(id: string, epoch: number): Promise<boolean>
  /** Appends a batch; resolves when it is durable. */
  append(batch: Batch): Promise<void>
  /** Deletes the batches before one that restarts the log. */
  cut(id: string, epoch: number, sequence: number): Promise<void>
  /** Releases worlds, so that other processes need not wait for the lease to expire. */
  release(
    owned: readonly { readonly id: string; readonly epoch: number; readonly sequence: number }[],
  ): Promise<void>
  /** Returns the next number for the id of a world. */
  nextNumber(): Promise<number>
  /** Stores the record of a world. */
  register(record: WorldRecord): Promise<void>
  /** Returns the record of the world with that API key. */
  find(apiKey: string): Promise<WorldRecord | undefined>
  /** Returns the records of all worlds beside the first. */
  list(): Promise<WorldRecord[]>
  /** Returns the readable batches of a log, without claiming the world. */
  read(id: string): Promise<ReadLog>
  /** Returns the ids of all worlds that have a log. */
  logged(): Promise<string[]>
  /** Deletes a log and the record of its world. */
  remove(id: string, apiKey: string): Promise<void>
  /** Deletes everything. */
  reset(): Promise<void>
  /** Resolves if batches can be appended at present; throws otherwise. */
  check(): Promise<void>
  close(): Promise<void>
}
