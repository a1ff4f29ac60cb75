import type { EventType } from '../contract/events.js'
import type { OperationName } from '../contract/operations.js'
import type { DeliveryRecord, RecordedExchange, Reliance, Relied, World } from '../world/index.js'
import type { TraceError } from './trace-error.js'
import { openTraceFile } from './trace-file.js'

/** Told of everything that relies on readings. */
export interface Trace {
  /** Told of every exchange as it is recorded. */
  onExchange(exchange: RecordedExchange, world: World): void
  /** Told whenever a delivery changes. */
  onDelivery(record: DeliveryRecord, world: World): void
  /** Told what it relied on that subscriptions were not told of an event. */
  onUntold(relied: readonly Relied[], world: World): void
}

/** A line of a trace: a reliance, and what it is one of. */
interface TraceLine extends Reliance {
  /** Who chose the reading, e.g. `default`, `scenario`, `options`. */
  readonly from: string
  readonly operation: OperationName | null
  readonly event: EventType | null
  readonly method?: string
  readonly path?: string
  readonly url?: string
}

/**
 * What appends the reliances of exchanges and deliveries to a file, the one `MAILBOX_SIM_TRACE` names when it is left
 * out, one JSON object a line, each kind once; undefined where no file is named. A file that can be written no longer
 * disturbs nobody: `onFailure` is told once.
 * @throws TraceError where the file cannot be written
 */
export async function createTrace(
  named: string | undefined,
  onFailure: (error: TraceError) => void,
): Promise<Trace | undefined> {
  const file = await openTraceFile(named, onFailure)
  if (file === undefined) return undefined
  const written = new Set<string>()
  return traceTo((line) => {
    const { operation, event, gap, reading, from, instead } = line
    const kind = `${operation} ${event} ${gap} ${reading} ${from} ${instead.join(' ')}`
    if (!written.has(kind) && file.append(JSON.stringify(line))) written.add(kind)
  })
}

function traceTo(write: (line: TraceLine) => void): Trace {
  return {
    onExchange({ operation, method, path: asked, search, requestHeaders, reliances }, world) {
      if (reliances.length === 0) return
      const path = world.masker.forRequest(requestHeaders, search).url(asked)
      for (const one of reliances) {
        write({ ...one, from: world.origins[one.gap], operation, event: null, method, path })
      }
    },
    onDelivery({ event, url, state, hasArrived }, world) {
      // What nobody received, nobody relied on.
      if (!hasArrived) return
      for (const one of state.reliances) {
        const from = world.origins[one.gap]
        write({ ...one, from, operation: null, event: event.type, url: world.masker.url(url) })
      }
    },
    onUntold(relied, world) {
      for (const { operation, event, reliances } of relied) {
        for (const one of reliances) write({ ...one, from: world.origins[one.gap], operation, event })
      }
    },
  }
}
