import type { NamedOperation } from '../../contract/operations.js'
import type { Relied } from '../assumptions/settle.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import { type CommandEntry, type RecordedCommand, showCommand } from './entries.js'
import type { Exchange, JournalEntry } from './exchange.js'
import { type KeyedRequest, nameOfKept } from './kept-answers.js'
import type { Log } from './log.js'
import type { SentMail } from './sent-mail.js'

/** Selects entries of a journal. */
export interface EntryFilter {
  /** Only entries after this number. */
  readonly since?: number | undefined
  /** The maximum number of entries to return, the oldest first. */
  readonly limit?: number | undefined
}

/** Selects exchanges of a journal. */
export interface ExchangeFilter extends EntryFilter {
  readonly operation?: NamedOperation | undefined
}

/** The requests and the commands in the log of a world. Commands are not masked, because they can be applied again. */
export class Journal {
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** Returns the kept exchanges, the oldest first. */
  exchanges(filter?: ExchangeFilter): Exchange[] {
    return this.entries(filter).map((entry) => entry.show())
  }

  /** Returns the kept exchanges unrendered, the oldest first. */
  entries({ operation, since = 0, limit }: ExchangeFilter = {}): JournalEntry[] {
    const { requests } = this.#log
    // Those who wait ask again after each one.
    const later =
      since === 0 ? requests : requests.slice(requests.findLastIndex(({ seq }) => seq <= since) + 1)
    const isWanted = ({ recorded }: JournalEntry): boolean => {
      return operation === undefined || recorded.operation === operation
    }
    return later.filter(isWanted).slice(0, limit)
  }

  /** Returns the kept commands, the oldest first. */
  commands({ since = 0, limit }: EntryFilter = {}): RecordedCommand[] {
    return this.#log.commands
      .filter(({ seq }) => seq > since)
      .slice(0, limit)
      .map(showCommand)
  }

  /** Returns the entries of the kept commands, the oldest first. */
  keptCommands(): CommandEntry[] {
    return [...this.#log.commands]
  }

  /** Returns the entries of the kept commands that a request applied. */
  commandsOf({ recorded: { commands = [] } }: JournalEntry): CommandEntry[] {
    return commands.flatMap((seq) => {
      const entry = this.#log.at(seq)
      return entry?.type === 'command' ? [entry] : []
    })
  }

  /** Returns the number of the exchange whose request applied a command; 0 if either is not kept. */
  exchangeOf(command: number): number {
    const entry = this.#log.at(command)
    return (entry?.type === 'command' && entry.exchange) || 0
  }

  /** Returns the number of the command that keeps the response to a request with an `Idempotency-Key`; 0 if it is not kept. */
  keeperOf(request: KeyedRequest): number {
    const name = nameOfKept(request)
    const keeper = this.#log.commands.findLast(({ answer }) => answer && nameOfKept(answer) === name)
    return keeper?.seq ?? 0
  }

  /** How many requests and commands are kept. */
  get usage(): { readonly exchanges: number; readonly commands: number } {
    return { exchanges: this.#log.requests.length, commands: this.#log.commands.length }
  }

  /** Iterates over the reliances of each exchange, the oldest first. */
  *relied(): IterableIterator<Relied> {
    for (const { recorded } of this.#log.requests) {
      yield { operation: recorded.operation, event: null, reliances: recorded.reliances }
    }
  }
}

/**
 * Returns the messages that agents sent by requests, in order: by all requests that the journal keeps, or by
 * these. Messages from the timeline, from the control API and of deleted mailboxes are not included.
 */
export function sentMail(
  { journal, store }: { readonly journal: Journal; readonly store: MailboxStore },
  entries: readonly JournalEntry[] = journal.entries(),
): SentMail[] {
  return entries.flatMap((entry) => {
    const { operation } = entry.recorded
    return journal.commandsOf(entry).flatMap(({ command, message: id }) => {
      if (command.type !== 'send-message' || operation === null) return []
      const message = store.get('message', id ?? '')
      return message
        ? [{ message, answered: command.in_reply_to ?? null, operation, exchange: entry.seq }]
        : []
    })
  })
}
