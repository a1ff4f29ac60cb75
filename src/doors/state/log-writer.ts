import { givenUp } from '../../service/model/errors.js'
import { isBeginning, type LoggedChange } from '../../service/record/log.js'
import type { World } from '../../service/world/world.js'
import { beginningIn, marked } from './log-scan.js'
import type { Claim, LogStore } from './log-store.js'

/** The length of a log, in characters, at which a snapshot replaces its entries. */
const maxTail = 65_536

/** The length at which a batch ends, in characters; a single turn of a world may be longer. */
const batchLength = 1_048_576

/** After how many batches of changes in a row one of a whole world is written, so that a busy world comes to its end as well. */
const fairShare = 8

/** The clock and the callbacks of a writer. */
export interface LogWriterOptions {
  /** Returns monotonic milliseconds. */
  now(): number
  /** Called when a batch is durable, with the time at which it was sent. */
  onWritten(sentAt: number): void
  /** Called when a batch was refused, or when it is unknown whether it was written. */
  onLost(): void
}

/** A whole world that is written in several batches. */
interface WholeWriting {
  /** The next batch and the one after it; undefined when none is left. */
  next: string | undefined
  after: string | undefined
  further: Iterator<string, undefined>
  /** `prepared` has only the rows of a world that will replace the present one; its last batch, `replacing`, follows later. */
  kind: 'complete' | 'prepared' | 'replacing'
  /** Called when no batch is left or when it is given up. */
  readonly ended: () => void
  /** The number of the first batch, once it is written. */
  first: number | undefined
  /** The length of the batches written so far, and of those of later changes between them. */
  length: number
  between: number
}

/** Writes the log of a world that this process owns, one batch at a time. */
export class LogWriter {
  readonly world: World
  readonly epoch: number
  readonly #store: LogStore
  readonly #options: LogWriterOptions
  #lost = false
  #finishing = false
  #sequence: number
  /** The length of the log since its last beginning, in characters. */
  #tail: number
  /** The length of that beginning, in characters. */
  #beginning: number
  /** The whole world that replaces the log; later changes need not wait for its end. */
  #whole: WholeWriting | undefined
  #inFlight: Promise<void> | undefined
  #next: Promise<void> | undefined
  /** The batch of a whole world that is being written while no changes are. */
  #piece: Promise<void> | undefined
  /** How many batches of changes were written since the last one of a whole world. */
  #changesInRow = 0

  constructor(world: World, claim: Claim, store: LogStore, options: LogWriterOptions) {
    this.world = world
    this.epoch = claim.epoch
    this.#sequence = claim.sequence
    this.#tail = claim.length
    this.#beginning = claim.beginning
    this.#store = store
    this.#options = options
  }

  /** The number of the last batch. */
  get sequence(): number {
    return this.#sequence
  }

  /** Schedules a batch of the world's new changes after the batch in flight. */
  changed(): void {
    if (this.#next) return
    const before = Promise.all([this.#inFlight, this.#piece])
    this.#next = before.then(() => this.#write())
    // `settled` reports the failure to whoever waits; an unobserved one must not end the process.
    this.#next.catch(() => undefined)
  }

  /** Resolves when all changes so far are durable; undefined if they already are. */
  settled(): Promise<void> | undefined {
    if (this.#lost) return Promise.reject(givenUp(this.world.id))
    return this.#next ?? this.#inFlight
  }

  /**
   * Writes the rows of a world that will replace the present one, between the changes of the present one, which still count.
   * Resolves to what `WorldLog.restart` takes, or to undefined if they are few or other changes made them obsolete.
   */
  async prepare(entries: Iterable<LoggedChange>): Promise<object | undefined> {
    if (this.#lost || this.#finishing) throw givenUp(this.world.id)
    let ended = (): void => undefined
    const writing = new Promise<void>((resolve) => {
      ended = resolve
    })
    const whole = startWhole(entries, { kind: 'prepared', ended })
    if (isShort(whole)) return undefined
    this.#giveUpWhole()
    this.#whole = whole
    this.#continue()
    await writing
    return this.#whole === whole ? whole : undefined
  }

  /** Writes what is left of the changes, and nothing after that. */
  async finish(): Promise<void> {
    this.#finishing = true
    this.#giveUpWhole()
    try {
      // Others may come while the last ones are being written.
      for (let left = this.settled(); left; left = this.settled()) await left
      await this.#piece
    } finally {
      this.#lost = true
    }
  }

  /**
   * Stops writing: another process owns the world, the world is deleted, or the log cannot be written. Resolves when the
   * batch in flight, if any, has ended.
   */
  async abandon(): Promise<void> {
    this.#lost = true
    this.#giveUpWhole()
    await Promise.allSettled([this.#inFlight, this.#piece])
  }

  async #write(): Promise<void> {
    const written = this.#next
    this.#inFlight = written
    this.#next = undefined
    try {
      const { world } = this
      if (this.#lost) throw givenUp(world.id)
      if (!world.log?.changed) return
      const { whole, prepared, turns } = world.log.take()
      const begun = this.#whole
      // The log begins anew.
      if (whole || turns[0]?.some(isBeginning)) this.#giveUpWhole()
      // Before anything is awaited, since it covers these changes and none after them.
      const shorter = !whole && this.#isLong ? startWhole(world.wholeEntries()) : undefined
      if (whole) {
        const isPrepared = begun !== undefined && begun === prepared && begun.next === undefined
        await this.#writeWhole(isPrepared ? completed(begun, whole) : startWhole(whole))
      }
      if (shorter && isShort(shorter)) await this.#append(shorter.next as string)
      else {
        for (const batch of batchesOf(turns)) await this.#append(batch)
        // Not if the writing of a world that replaces this one was begun meanwhile.
        if (shorter && this.#whole === undefined) {
          this.#whole = shorter
          await this.#writePiece(shorter)
        }
      }
      await this.#writeInTurn()
    } catch (error) {
      this.#options.onLost()
      throw error
    } finally {
      if (this.#inFlight === written) this.#inFlight = undefined
      this.#continue()
    }
  }

  /** Whether the log is long compared to what the world held at its last beginning. */
  get #isLong(): boolean {
    return !this.#finishing && this.#whole === undefined && this.#tail >= maxTail + 4 * this.#beginning
  }

  /** Writes all batches of a whole world. */
  async #writeWhole(whole: WholeWriting): Promise<void> {
    if (isShort(whole)) return this.#append(whole.next as string)
    while (whole.next !== undefined) await this.#writePiece(whole)
  }

  /** Gives up the whole world that was begun. */
  #giveUpWhole(): void {
    this.#whole?.ended()
    this.#whole = undefined
  }

  /** Writes the next batch of the whole world that was begun after every few batches of changes, if they come without a pause. */
  async #writeInTurn(): Promise<void> {
    const whole = this.#whole
    if (!this.#next || whole?.next === undefined || ++this.#changesInRow < fairShare) return
    await this.#writePiece(whole)
  }

  /** Writes the next batch of the whole world that was begun, unless there are changes to write. */
  #continue(): void {
    const whole = this.#whole
    if (whole?.next === undefined || this.#lost || this.#inFlight || this.#next || this.#piece) return
    const writing = this.#writePiece(whole)
      .catch(() => this.#options.onLost())
      .finally(() => {
        if (this.#piece === writing) this.#piece = undefined
        this.#continue()
      })
    this.#piece = writing
  }

  async #writePiece(whole: WholeWriting): Promise<void> {
    const { next: batch = '', first, after, kind } = whole
    const isLast = after === undefined && kind !== 'prepared'
    const end = kind === 'replacing' ? 'replacing' : 'last'
    const mark = first === undefined ? 'first' : isLast ? end : 'further'
    const sequence = await this.#send(marked(mark, batch))
    this.#changesInRow = 0
    whole.first ??= sequence
    whole.length += batch.length + 1
    whole.next = after
    whole.after = whole.further.next().value
    if (whole.next === undefined) whole.ended()
    if (!isLast) return
    if (this.#whole === whole) this.#whole = undefined
    this.#beginning = whole.length
    this.#tail = whole.length + whole.between
    this.#cut(whole.first as number)
  }

  /** Appends a batch that counts by itself. */
  async #append(batch: string): Promise<void> {
    const sequence = await this.#send(batch)
    const beginning = beginningIn(batch)
    this.#tail = beginning === undefined ? this.#tail + batch.length : batch.length
    if (this.#whole) this.#whole.between += batch.length
    if (beginning === undefined) return
    this.#beginning = beginning
    this.#cut(sequence)
  }

  /** Writes a batch; returns its number. */
  async #send(entries: string): Promise<number> {
    const { world, epoch } = this
    if (this.#lost) throw givenUp(world.id)
    const [sentAt, sequence] = [this.#options.now(), ++this.#sequence]
    await this.#store.append({ id: world.id, epoch, sequence, entries })
    this.#options.onWritten(sentAt)
    return sequence
  }

  #cut(sequence: number): void {
    // If this fails, the batches before the beginning stay and are ignored.
    if (sequence > 1 || this.epoch > 1) {
      void this.#store.cut(this.world.id, this.epoch, sequence).catch(() => undefined)
    }
  }
}

/** Begins to write a whole world: formats the first batch. */
function startWhole(
  entries: Iterable<LoggedChange>,
  { kind, ended }: Pick<WholeWriting, 'kind' | 'ended'> = { kind: 'complete', ended: () => undefined },
): WholeWriting {
  const further = batchesOf(turnsOf(entries))
  const [next, after] = [further.next().value, further.next().value]
  return { next, after, further, kind, ended, first: undefined, length: 0, between: 0 }
}

/** Returns the writing of a whole world whose rows were written before, with what else belongs to it. */
function completed({ first, length, ended }: WholeWriting, entries: Iterable<LoggedChange>): WholeWriting {
  return { ...startWhole(withoutRows(entries), { kind: 'replacing', ended }), first, length }
}

function* withoutRows(entries: Iterable<LoggedChange>): Generator<LoggedChange> {
  for (const entry of entries) if (entry.type !== 'rows') yield entry
}

function isShort({ first, after }: WholeWriting): boolean {
  return first === undefined && after === undefined
}

function* turnsOf(entries: Iterable<LoggedChange>): Generator<readonly LoggedChange[]> {
  for (const entry of entries) yield [entry]
}

/** Formats the entries of turns as batches; a turn is in one batch, so that all or nothing of it counts. */
function* batchesOf(turns: Iterable<readonly LoggedChange[]>): Generator<string, undefined> {
  let batch = ''
  for (const turn of turns) {
    for (const entry of turn) batch += `${batch === '' ? '[' : ','}${JSON.stringify(entry)}`
    if (batch.length < batchLength) continue
    yield `${batch}]`
    batch = ''
  }
  if (batch !== '') yield `${batch}]`
}
