import { useSignal } from '@preact/signals'
import { counted } from '../../base/text.js'
import type { Delivery, DeliveryAttempt } from '../../service/webhooks/delivery.js'
import { ActionButton } from '../actions.js'
import type { Subscription } from '../data.js'
import { FieldList, Headers, Loaded, Notice, Source, StatusBadge, Time } from '../parts.js'
import { useResource } from '../resource.js'
import { href, place } from '../router.js'
import { listStep, RowList } from '../row-list.js'

/** Renders the deliveries to subscriptions, and the selected delivery with all of its attempts. */
export function DeliveriesScreen() {
  const [id] = place.value.path
  const deliveries = useResource((from) => from.deliveries())
  const subscriptions = useResource((from) => from.subscriptions())
  return (
    <div class={`split${id === undefined ? '' : ' open'}`}>
      <section class="list-pane" aria-label="Deliveries">
        <details>
          <summary>{counted(subscriptions.value?.length ?? 0, 'webhook subscription')}</summary>
          <Loaded of={subscriptions} empty="No subscriptions, so nothing is delivered.">
            {(list) => <ul>{list.map(describeSubscription)}</ul>}
          </Loaded>
        </details>
        <Loaded
          of={deliveries}
          empty="No deliveries yet. When mail arrives, the webhook subscriptions receive an event."
        >
          {(list) => <DeliveryList deliveries={list.toReversed()} open={id} />}
        </Loaded>
      </section>
      <section key={id} class="pane" aria-label="Delivery">
        {id === undefined ? (
          <Notice>Choose a delivery to see every attempt and the receiver's responses.</Notice>
        ) : (
          <>
            <a class="back" href={href('deliveries')}>
              ← Deliveries
            </a>
            <Loaded of={deliveries}>
              {(list) => {
                const delivery = list.find((one) => one.id === id)
                return delivery ? (
                  <Details delivery={delivery} />
                ) : (
                  <Notice>{`There is no delivery ${id}.`}</Notice>
                )
              }}
            </Loaded>
          </>
        )}
      </section>
    </div>
  )
}

function describeSubscription({ id, url, events, agent_handle }: Subscription) {
  return (
    <li key={id}>
      <code>{url}</code>
      <br />
      <small>
        {events.join(', ')} · {agent_handle ?? 'all agents'}
      </small>
    </li>
  )
}

function DeliveryList({ deliveries, open }: { deliveries: readonly Delivery[]; open: string | undefined }) {
  const shown = useSignal(listStep)
  return (
    <RowList
      label="Deliveries"
      of="deliveries"
      items={deliveries}
      shown={shown}
      row={({ id, event, status, url, attempts, agent_handle }) => ({
        key: id,
        address: href('deliveries', [id]),
        open: id === open,
        content: (
          <>
            <span class="line">
              <b class="fit">{event.type}</b>
              <span class={`badge ${status}`}>{status}</span>
              <Time at={event.at} exact />
            </span>
            <span class="line quiet">
              <span class="fit">
                {agent_handle} · {url}
              </span>
              <small>{counted(attempts.length, 'attempt')}</small>
            </span>
          </>
        ),
      })}
    />
  )
}

function Details({ delivery }: { delivery: Delivery }) {
  const { id, event, status, reason, url, agent_handle, message_id, thread_id, next_attempt_at, attempts } =
    delivery
  return (
    <>
      <header class="title">
        <h2>
          {event.type} <span class={`badge ${status}`}>{status}</span>
        </h2>
        <p>
          to <code>{url}</code> · <a href={href('mailbox', [agent_handle, thread_id])}>open the thread</a>
        </p>
        {reason !== null && <p class="because">{reason}</p>}
        {next_attempt_at !== null && (
          <p>
            Next attempt: <Time at={next_attempt_at} exact />
          </p>
        )}
        <ActionButton request={{ method: 'POST', path: `/deliveries/${id}/redeliver` }}>
          Redeliver
        </ActionButton>
      </header>
      <FieldList
        rows={[
          ['Delivery', id],
          ['Event', event.id],
          ['Message', message_id],
        ]}
      />
      {delivery.reliances.length > 0 && (
        <p class="actions">
          Depends on
          {delivery.reliances.map(({ gap, assumption }) => (
            <a key={gap} class="badge gap" href={href('gaps', [gap])}>
              {gap} = {assumption}
            </a>
          ))}
        </p>
      )}
      {attempts.map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
    </>
  )
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { number, cause, at, duration_ms, request, response, error } = attempt
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <h3>
        Attempt {number} {response && <StatusBadge status={response.status} />}
      </h3>
      <p>
        {cause} · <Time at={at} exact /> · {duration_ms === null ? 'in flight' : `${duration_ms} ms`}
      </p>
      {error && (
        <p class="because">
          {error.code}: {error.message}
        </p>
      )}
      <div class="sides">
        <div class="side">
          <h4>Request</h4>
          <Headers of={request.headers} />
          <Source text={request.body} />
        </div>
        <div class="side">
          <h4>Response</h4>
          {response ? (
            <>
              <Headers of={response.headers} />
              {response.body !== null && <Source text={response.body} />}
            </>
          ) : (
            <p class="quiet">There was none.</p>
          )}
        </div>
      </div>
    </section>
  )
}
