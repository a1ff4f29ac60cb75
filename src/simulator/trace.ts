import type { RecordedExchange, World } from '../world/index.js'
import { environmentVariable } from './environment.js'

/** Told of every exchange as it is recorded. */
export type OnExchange = (exchange: RecordedExchange, world: World) => void

/**
 * What appends the reliances of exchanges to a file, the one `MAILBOX_SIM_TRACE` names when it is left out, one JSON
 * object a line, each kind once; undefined where no file is named.
 */
export async function createTrace(
  file = environmentVariable('MAILBOX_SIM_TRACE'),
): Promise<OnExchange | undefined> {
  if (file === undefined) return undefined
  const { appendFileSync } = await import('node:fs')
  const written = new Set<string>()
  return ({ operation, method, path: asked, search, requestHeaders, reliances }, { masker }) => {
    for (const { gap, reading, instead } of reliances) {
      const kind = `${operation} ${gap} ${reading} ${instead.join(' ')}`
      if (written.has(kind)) continue
      written.add(kind)
      const path = masker.forRequest(requestHeaders, search).url(asked)
      appendFileSync(file, `${JSON.stringify({ gap, reading, instead, operation, method, path })}\n`)
    }
  }
}
