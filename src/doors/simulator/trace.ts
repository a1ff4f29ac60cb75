import { fileSystem } from '../../base/file-system.js'
import type { ExtensionGap } from '../../contract/extensions.js'
import type { AnyOperationName } from '../../contract/operations.js'
import type { EventType } from '../../contract/resources.js'
import type { Reliance, Relied } from '../../service/assumptions/settle.js'
import type { DeliveryRecord } from '../../service/webhooks/delivery.js'
import type { ObservedWorld } from '../../service/webhooks/dispatcher.js'
import type { RecordedExchange } from '../../service/world/exchange.js'

/** The error of a trace file that cannot be written. */
export class TraceError extends Error {
  override readonly name = 'TraceError'
  readonly code = 'unwritable'
}

/** A line of a trace: a reliance of a request or of a delivery. */
interface TraceLine extends Reliance {
  /** Who chose the assumption, e.g. `default`, `scenario`, `options`. */
  readonly from: string
  readonly operation: AnyOperationName | null
  readonly event: EventType | null
  readonly method?: string
  readonly path?: string
  readonly url?: string
  /** The gap itself if an extension defines it, since readers of the trace may not have the extension. */
  readonly own?: Pick<ExtensionGap, 'assumptions' | 'advice'>
}

/**
 * Creates a trace that appends the reliances of exchanges and deliveries to a file, by default the one that `MAILBOX_SIM_TRACE`
 * names, one JSON object per line, each kind once; undefined when none is named. If the file can no longer be written, `onFailure` is called once and
 * requests continue as before.
 * @throws TraceError when the file cannot be written
 */
export function createTrace(
  named = environmentVariable('MAILBOX_SIM_TRACE'),
  onFailure: (error: TraceError) => void,
) {
  if (named === undefined) return undefined
  const modules = fileSystem()
  if (!modules) throw new TraceError(`The trace "${named}" cannot be written: this runtime has no files.`)
  const { fs, path } = modules
  // Resolved now, because the program under test may change its working directory.
  const file = path.resolve(named)
  try {
    fs.appendFileSync(file, '')
  } catch (error) {
    throw new TraceError(`The trace (MAILBOX_SIM_TRACE) cannot be written: ${(error as Error).message}.`)
  }
  const written = new Set<string>()
  let failed = false
  const write = (line: TraceLine): void => {
    const { operation, event, gap, assumption, from, instead } = line
    const kind = `${operation} ${event} ${gap} ${assumption} ${from} ${instead.join(' ')}`
    if (failed || written.has(kind)) return
    written.add(kind)
    try {
      fs.appendFileSync(file, `${JSON.stringify(line)}\n`)
    } catch (error) {
      failed = true
      const lost = 'reliances are missing in it from now on'
      const message = `The trace (MAILBOX_SIM_TRACE) can no longer be written, so ${lost}: ${(error as Error).message}.`
      onFailure(new TraceError(message))
    }
  }
  const writeAll = (
    { operation, event, reliances }: Relied,
    { origins, extensions }: ObservedWorld,
    place: Pick<TraceLine, 'method' | 'path' | 'url'> = {},
  ): void => {
    for (const one of reliances) {
      const own = extensions.gaps.get(one.gap)
      const defined = own && { own: { assumptions: own.assumptions, advice: own.advice } }
      write({ ...one, from: origins[one.gap], operation, event, ...place, ...defined })
    }
  }
  return {
    /** Records the reliances of an exchange. */
    onExchange(exchange: RecordedExchange, world: ObservedWorld): void {
      const { operation, method, search, requestHeaders, reliances } = exchange
      if (reliances.length === 0) return
      const path = world.masker.forRequest(requestHeaders, search).url(exchange.path)
      writeAll({ operation, event: null, reliances }, world, { method, path })
    },
    /** Records the reliances of a delivery, whenever it changes. */
    onDelivery({ state, hasReachedReceiver }: DeliveryRecord, world: ObservedWorld) {
      // No client relies on a delivery that it did not receive.
      if (!hasReachedReceiver) return
      const { event, url, reliances } = state
      writeAll({ operation: null, event: event.type, reliances }, world, { url: world.masker.url(url) })
    },
    /** Records the reliances of the decision that subscriptions do not receive an event. */
    onUnmatched(relied: readonly Relied[], world: ObservedWorld): void {
      for (const one of relied) writeAll(one, world)
    },
  }
}

/** Returns an environment variable; undefined if it is unset or empty, or the runtime has no environment. */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}
