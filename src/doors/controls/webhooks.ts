import { z } from '../../base/schema.js'
import {
  authTokenSchema,
  type EventType,
  eventTypes,
  type Webhook,
  webhookSchema,
} from '../../contract/resources.js'
import { renderWebhook } from '../../service/rendering/resources.js'
import type { DeliveryFilter } from '../../service/webhooks/deliveries.js'
import { type Delivery, deliveryStatuses } from '../../service/webhooks/delivery.js'
import { secretOf } from '../../service/webhooks/delivery-request.js'
import type { Receiver } from '../../service/webhooks/transport.js'
import { type Controlled, control, listNamed, part } from './control.js'
import type { ListOptions } from './mailboxes.js'
import type { WorldView } from './world-view.js'

/** A subscription to add. */
export interface WebhookInput {
  readonly url: string
  readonly events: readonly EventType[]
  /** The handle of the agent it is scoped to; all agents by default. */
  readonly agentHandle?: string | undefined
  readonly authToken?: string | undefined
}

/** A subscription as the control API shows it: with its token masked, and the key that signs its deliveries. */
const subscription = () => webhookSchema().extend({ secret: z.string() })

/** The webhook subscriptions of a world. */
export const webhooks = {
  /** Subscribes a URL to events. @throws WorldError */
  create: control({
    route: 'POST /webhooks',
    summary: 'Subscribes a URL to events of the first organization.',
    body: () =>
      z.strictObject({
        url: z.string().describe('The http or https URL to which events are sent.'),
        events: z.array(z.enum(eventTypes)).min(1).describe('The event types it subscribes to.'),
        agent_handle: z
          .string()
          .nullish()
          .describe('Only events of this agent; by default, events of all agents.'),
        auth_token: authTokenSchema()
          .nullish()
          .describe('The token that deliveries contain; it is masked in responses.'),
      }),
    status: 201,
    answer: subscription,
    perform({ view }: Controlled, { url, events, agentHandle, authToken }: WebhookInput): Webhook {
      const row = view.world.apply({
        type: 'create-webhook',
        url,
        events: events && [...events],
        agent_handle: agentHandle ?? null,
        auth_token: authToken ?? null,
      })
      return view.show(row, renderWebhook)
    },
    show: showSubscription,
  }),

  /** Returns the subscriptions that `apiKey` can reach, or those of every organization, in the order they were added. */
  list: control({
    route: 'GET /webhooks',
    summary:
      'Lists the subscriptions of all organizations in the form that the service returns, with their tokens masked and ' +
      'with the secrets that sign their deliveries.',
    agents: true,
    answer: () => z.object({ webhooks: z.array(subscription()) }),
    options: ['everywhere'],
    given: () => [{ everywhere: true }],
    perform({ view }: Controlled, { everywhere }: ListOptions = {}): Webhook[] {
      const list = view.world.store.webhooks(...view.organizations(everywhere))
      return view.showAll('webhook', list.page({ order: 'created' }), renderWebhook)
    },
    show: (list, on) => ({ webhooks: list.map((webhook) => showSubscription(webhook, on)) }),
  }),

  /**
   * Registers a receiver in this process for the deliveries to a URL, or with `*` for those that no other receiver takes.
   * If it returns nothing, the delivery gets 200. Receivers survive resets. Returns a function that removes
   * the receiver.
   * @example sim.webhooks.on('http://agent.test/hook', async (request) => handle(await request.json()))
   */
  on: control({
    perform({ view }: Controlled, url: string, receiver: Receiver): () => void {
      if (typeof receiver === 'function') return view.world.receivers.on(url, receiver)
      throw new TypeError(
        'webhooks.on takes a URL and a function that gets each request and returns a Response.',
      )
    },
  }),

  /**
   * Returns the secret that signs the deliveries of a subscription, if they are signed: that of the delivery format, or
   * one of the subscription, `whsec_…`.
   * @throws WorldError `not-found`
   */
  secret: control({ perform: ({ view }: Controlled, id: string): string => secretIn(view, id) }),

  /** Deletes a subscription. @throws WorldError `not-found` */
  delete: control({
    route: 'DELETE /webhooks/{id}',
    summary: 'Deletes a subscription.',
    status: 204,
    perform({ view }: Controlled, id: string): void {
      view.world.apply({ type: 'delete-webhook', webhook_id: id })
    },
  }),
}

function secretIn(view: WorldView, id: string): string {
  const { seed, deliveryFormat } = view.world.initialState
  const own = secretOf(seed, view.row('webhook', id).id)
  return deliveryFormat?.secret ?? own
}

/** Shows a subscription. If it has no token, its `auth_token` depends on an assumption and is left unchanged. */
function showSubscription(webhook: Webhook, { view }: Controlled): object {
  const token = webhook.has_auth_token ? { auth_token: '***' } : {}
  const url = view.masker.keys.url(webhook.url)
  return { ...webhook, url, ...token, secret: secretIn(view, webhook.id) }
}

/** The routes of deliveries; their methods in the library are those of `Deliveries`. */
export const deliveryRoutes = [
  control({
    route: 'GET /deliveries',
    summary: 'Lists the deliveries to subscriptions with all of their attempts, in the order of the events.',
    query: () =>
      z.object({
        event: z.enum(eventTypes).optional().describe('Only deliveries of this event type.'),
        status: z.enum(deliveryStatuses).optional().describe('Only deliveries with this status.'),
        webhook: z.string().optional().describe('Only deliveries to the subscription with this id.'),
        url: z.string().optional().describe('Only deliveries to this URL.'),
        message: z.string().optional().describe('Only deliveries about the message with this id.'),
        since: z.string().optional().describe('Only deliveries after the one with this id.'),
        limit: part().limit,
      }),
    answer: listNamed('deliveries'),
    perform: ({ view }: Controlled, filter: DeliveryFilter) => ({
      deliveries: view.world.deliveries.list(filter),
    }),
  }),
  control({
    route: 'GET /deliveries/{id}',
    summary: 'Returns one delivery with all of its attempts.',
    perform: ({ view }: Controlled, id: string): Delivery => view.world.deliveries.get(id),
  }),
  control({
    route: 'POST /deliveries/{id}/redeliver',
    summary:
      'Sends a delivery again with the same event id; responds when the receiver has responded or the attempt timed out.',
    perform: ({ view }: Controlled, id: string): Promise<Delivery> => view.world.deliveries.redeliver(id),
  }),
]
