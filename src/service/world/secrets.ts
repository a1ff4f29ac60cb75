import { once } from '../../base/once.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { WebhookRow } from '../model/rows.js'
import { secretsInUrl } from '../record/masker.js'
import type { DeliveryFormat } from '../webhooks/delivery-format.js'
import { secretOf } from '../webhooks/delivery-request.js'

/** Secrets that are masked; each may occur more than once. */
export interface KnownSecrets extends Iterable<string> {
  readonly size: number
}

/** The API keys, tokens and other secrets that a world has had since it began, including those of deleted rows. */
export class WorldSecrets implements KnownSecrets {
  readonly #seed: number
  readonly #found: () => ReadonlySet<string>
  readonly #noted = new Set<string>()

  constructor(seed: number, store: MailboxStore, deliveryFormat?: DeliveryFormat) {
    this.#seed = seed
    this.#found = once(() => {
      const keys = [...store.all('organization')].flatMap(({ api_keys }) => api_keys)
      const published = deliveryFormat?.secret === undefined ? [] : [deliveryFormat.secret]
      return new Set([...keys, ...published, ...[...store.all('webhook')].flatMap((row) => this.#of(row))])
    })
  }

  *[Symbol.iterator](): IterableIterator<string> {
    yield* this.#found()
    yield* this.#noted
  }

  /** Grows with each new secret. */
  get size(): number {
    return this.#found().size + this.#noted.size
  }

  /** Notes the secrets of a subscription that a command creates, changes or deletes. */
  note(webhook: WebhookRow): void {
    for (const secret of this.#of(webhook)) this.#noted.add(secret)
  }

  #of({ id, url, auth_token: token }: WebhookRow): string[] {
    return [...(token === null ? [] : [token]), ...secretsInUrl(url), secretOf(this.#seed, id)]
  }
}
