import { crc32 } from 'node:zlib'
import { invocation } from '../contract/package.js'
import { StateError, type WorldRecord } from '../world/index.js'

/** What a state was made with; it is kept for nothing else. */
export interface StateStart {
  readonly scenario: string
  readonly seed: number
  /** Tells it from other beginnings of that scenario and seed. */
  readonly fingerprint: string
  /** The instant the story begins, ISO 8601 UTC; states of earlier versions do not say. */
  readonly begins?: string
}

/** What claiming a world gives: the right to add to its log, and what is in it. */
export interface Claim {
  /** Grows with every claim of a world; entries of a smaller one are refused from then on. */
  readonly epoch: number
  /** The number of the last batch of this epoch. */
  readonly sequence: number
  /** The batches in order, each a list of entries as JSON; those before the last beginning may be missing. */
  readonly batches: readonly string[]
  /** Whether there is nothing that tells of an earlier claim, where claims leave a trace. */
  readonly isNew: boolean
  /** Whether another process may still answer reads of it for the time of a lease. */
  readonly isShared: boolean
}

/** A batch of entries by its place in a log. */
export interface Batch {
  readonly id: string
  readonly epoch: number
  readonly sequence: number
  /** A list of entries as JSON. */
  readonly entries: string
}

/** What there is of a log. */
export interface ReadLog {
  /** Those up to what cannot be read, in order. */
  readonly batches: readonly string[]
  /** What cannot be read; undefined where all can. */
  readonly problem?: string | undefined
}

/** Whether a batch begins a log anew: what came before it does not matter. */
export function beginsAnew(batch: string): boolean {
  return /^\[\{"type":"(begin|snapshot)"/.test(batch)
}

/** Returns the checksum of a text at a key, 8 hexadecimal digits: a store may move texts, or change them on its disk. */
export function checksum(key: string, text: string): string {
  return crc32(text, crc32(key)).toString(16).padStart(8, '0')
}

/** Returns the number in the id of a world, by which records are sorted. */
export function numberOf({ id }: WorldRecord): number {
  return Number(id.replace(/\D/g, ''))
}

/** Says of a log that it cannot be read, and what to do. */
export function damagedLog(store: string, id: string, problem: string): StateError {
  const remedy = `${invocation} state show ${id} shows what can be read, state drop ${id} deletes it.`
  return new StateError('damaged', `${store}: the log of "${id}" cannot be read: ${problem}. ${remedy}`)
}

/** A place outside of this process where the logs of worlds are. Every method throws a StateError. */
export interface LogStore {
  /** What it is called in messages, without secrets. */
  readonly name: string
  /** How many milliseconds an owner may answer reads without asking whether it still is one; Infinity where nobody else can be. */
  readonly lease: number
  /** Begins with a new state, or goes on with one of that start. */
  open(start: StateStart): Promise<void>
  /** Returns what the state was made with; undefined where there is none. */
  start(): Promise<StateStart | undefined>
  /** Claims the world of that id; undefined where nobody waits for it any more, who may have gone elsewhere with it. */
  claim(id: string, isAwaited: () => boolean): Promise<Claim | undefined>
  /** Returns whether nobody has claimed a world since. */
  isOwner(id: string, epoch: number): Promise<boolean>
  /** Adds a batch; resolves when it is durable. */
  append(batch: Batch): Promise<void>
  /** Drops the batches before one that begins anew. */
  cut(id: string, epoch: number, sequence: number): Promise<void>
  /** Lets go of worlds, so that others need not wait for the lease. */
  release(
    owned: readonly { readonly id: string; readonly epoch: number; readonly sequence: number }[],
  ): Promise<void>
  /** Returns the next number for the id of a world. */
  nextNumber(): Promise<number>
  /** Adds the record of a world. */
  register(record: WorldRecord): Promise<void>
  /** Returns the record of the world with that API key. */
  find(apiKey: string): Promise<WorldRecord | undefined>
  /** Returns the records of all worlds beside the first. */
  list(): Promise<WorldRecord[]>
  /** Returns the batches of a log that can be read, without claiming it. */
  read(id: string): Promise<ReadLog>
  /** Returns the ids of all worlds that have a log. */
  logged(): Promise<string[]>
  /** Deletes a log, and the record of its world. */
  remove(id: string, apiKey: string): Promise<void>
  /** Deletes everything. */
  reset(): Promise<void>
  /** Resolves where batches can be added at present. */
  check(): Promise<void>
  close(): Promise<void>
}
