import type { Extensions } from '../contract/extensions.js'
import type { GapId } from '../contract/gaps.js'
import type { MailboxStore, WebhookRow } from '../model/index.js'
import { type Masker, secretsInUrl } from './masking/masker.js'
import type { Relied } from './reliances.js'
import type { DeliveryRecord } from './webhooks/delivery-record.js'
import { capturing, type DeliveryTransport } from './webhooks/transport.js'

/** A world as the observers of its deliveries see it. */
export interface ObservedWorld {
  readonly extensions: Extensions
  readonly id: string
  readonly masker: Masker
  /** Who chose the reading of each gap. */
  readonly origins: Readonly<Record<GapId, string>>
}

/** The program around a world. */
export interface WorldHost {
  /** Secrets of other worlds that must not be shown either. */
  readonly furtherSecrets: () => Iterable<string>
  /** Called with the errors that listeners to the feed throw. */
  readonly onDefect: (error: unknown) => void
  /** How deliveries leave that no receiver in this process takes. */
  readonly transport: DeliveryTransport
  /** The address below which deliveries show stored files. */
  readonly base: () => string
  /**
   * Called with the id of a world once there are entries for its log. With it, a world waits for `start` or `recover`
   * before anything happens in it; without it, no world has a log.
   */
  readonly onLogged?: ((id: string) => void) | undefined
  readonly onDelivery: (record: DeliveryRecord, world: ObservedWorld) => void
  /** Called with the reliances of the choice that subscriptions do not receive an event. */
  readonly onUnmatched: (relied: readonly Relied[], world: ObservedWorld) => void
}

/** The host of a world alone; errors of listeners become uncaught exceptions. */
export const defaultHost: WorldHost = {
  furtherSecrets: () => [],
  transport: capturing,
  base: () => '',
  onDelivery: () => undefined,
  onUnmatched: () => undefined,
  onDefect(error) {
    queueMicrotask(() => {
      throw error
    })
  },
}

/** Returns the secrets in a world's rows: API keys, tokens of subscriptions, and what their URLs carry. */
export function secretsOf(store: MailboxStore): string[] {
  const keys = [...store.all('organization')].flatMap(({ api_keys }) => api_keys)
  return [...keys, ...[...store.all('webhook')].flatMap(secretsOfWebhook)]
}

/** Returns the secrets of a subscription. */
export function secretsOfWebhook({ url, auth_token: token }: WebhookRow): string[] {
  return [...(token === null ? [] : [token]), ...secretsInUrl(url)]
}
