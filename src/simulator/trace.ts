import type { ExtensionGap } from '../contract/extensions.js'
import type { AnyOperationName } from '../contract/operations.js'
import type { EventType } from '../contract/resources.js'
import type { DeliveryRecord, ObservedWorld, RecordedExchange, Reliance, Relied } from '../world/index.js'

const variable = 'MAILBOX_SIM_TRACE'

/** A file for a trace of reliances that cannot be written. */
export class TraceError extends Error {
  override readonly name = 'TraceError'
  readonly code = 'unwritable'
}

/** Writes down everything that relies on readings. */
export type Trace = ReturnType<typeof traceTo>

/** A line of a trace: a reliance, and what it is one of. */
interface TraceLine extends Reliance {
  /** Who chose the reading, e.g. `default`, `scenario`, `options`. */
  readonly from: string
  readonly operation: AnyOperationName | null
  readonly event: EventType | null
  readonly method?: string
  readonly path?: string
  readonly url?: string
  /** The gap itself, where an extension defines it: whoever reads the trace may not have the extension. */
  readonly own?: Pick<ExtensionGap, 'readings' | 'advice'>
}

/**
 * Creates a trace that appends the reliances of exchanges and deliveries to a file, one JSON object a line, each kind
 * once; undefined where no file is named. When the file can no longer be written, nobody is disturbed: `onFailure` is
 * called once.
 * @param named the file; the one `MAILBOX_SIM_TRACE` names when it is left out
 * @throws TraceError where the file cannot be written
 */
export async function createTrace(
  named: string | undefined,
  onFailure: (error: TraceError) => void,
): Promise<Trace | undefined> {
  const append = await openTraceFile(named, onFailure)
  if (append === undefined) return undefined
  const written = new Set<string>()
  return traceTo((line) => {
    const { operation, event, gap, reading, from, instead } = line
    const kind = `${operation} ${event} ${gap} ${reading} ${from} ${instead.join(' ')}`
    if (!written.has(kind) && append(JSON.stringify(line))) written.add(kind)
  })
}

function traceTo(write: (line: TraceLine) => void) {
  const writeAll = (
    { operation, event, reliances }: Relied,
    { origins, extensions }: ObservedWorld,
    about: Pick<TraceLine, 'method' | 'path' | 'url'> = {},
  ): void => {
    for (const one of reliances) {
      const own = extensions.gaps.get(one.gap)
      const defined = own && { own: { readings: own.readings, advice: own.advice } }
      write({ ...one, from: origins[one.gap], operation, event, ...about, ...defined })
    }
  }
  return {
    /** Takes every exchange as it is recorded. */
    onExchange(exchange: RecordedExchange, world: ObservedWorld): void {
      const { operation, method, search, requestHeaders, reliances } = exchange
      if (reliances.length === 0) return
      const path = world.masker.forRequest(requestHeaders, search).url(exchange.path)
      writeAll({ operation, event: null, reliances }, world, { method, path })
    },
    /** Takes a delivery whenever it changes. */
    onDelivery({ content: { event, url }, state, hasReachedReceiver }: DeliveryRecord, world: ObservedWorld) {
      // What nobody received, nobody relied on.
      if (!hasReachedReceiver) return
      const { reliances } = state
      writeAll({ operation: null, event: event.type, reliances }, world, { url: world.masker.url(url) })
    },
    /** Takes the reliances of the choice that subscriptions do not receive an event. */
    onUnmatched(relied: readonly Relied[], world: ObservedWorld): void {
      for (const one of relied) writeAll(one, world)
    },
  }
}

/** Opens a file to append lines to; a line that cannot be written gives false. @throws TraceError */
async function openTraceFile(
  given: string | undefined,
  onFailure: (error: TraceError) => void,
): Promise<((line: string) => boolean) | undefined> {
  const named = given ?? environmentVariable(variable)
  if (named === undefined) return undefined
  const { appendFileSync } = await import('node:fs')
  const { dirname, resolve } = await import('node:path')
  // Resolved now, because the program under test may change its working directory.
  const file = resolve(named)
  const source = given === undefined ? `${variable}: ` : ''
  const problemOf = (error: unknown): Problem => explain(error, dirname(file))
  try {
    appendFileSync(file, '')
  } catch (error) {
    const { why, remedy } = problemOf(error)
    throw new TraceError(`${source}"${file}" cannot be written, since ${why}; ${remedy}.`)
  }
  let failed = false
  return (line) => {
    try {
      appendFileSync(file, `${line}\n`)
      return true
    } catch (error) {
      const { why } = problemOf(error)
      const lost = 'reliances are missing in it from now on'
      if (!failed) {
        onFailure(new TraceError(`${source}"${file}" cannot be written any more, since ${why}; ${lost}.`))
      }
      failed = true
      return false
    }
  }
}

interface Problem {
  readonly why: string
  readonly remedy: string
}

/** Explains an error of the file system about a file in a folder. */
function explain(error: unknown, folder: string): Problem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  switch (code) {
    case 'ENOENT':
      return { why: `there is no folder "${folder}"`, remedy: 'make it, or name another file' }
    case 'EISDIR':
      return { why: 'it is a folder', remedy: 'name a file in it' }
    case 'ENOTDIR':
      return { why: `"${folder}" is no folder`, remedy: 'name another file' }
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return { why: 'permission is denied', remedy: 'allow it, or name another file' }
    default:
      return { why: `the system says ${code}`, remedy: 'name another file' }
  }
}

/** A variable of the environment, where there is one; an empty one counts as none. */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}
