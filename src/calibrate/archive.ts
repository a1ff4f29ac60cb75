import { createHar, type Har, Journal, Masker, parseInstant } from '../world/index.js'
import type { ProbeExchange } from './exchange.js'

/** Exchanges as an archive, with keys and tokens masked. */
export function archiveOf(
  exchanges: readonly ProbeExchange[],
  baseUrl: string,
  secrets: readonly string[],
): Har {
  const journal = new Journal('calibration', new Masker(() => secrets))
  const entries = exchanges.map(({ request, answer, at, duration }) => {
    const { target, method, key, headers = {}, body = null } = request
    const url = new URL(target.startsWith('/') ? `${baseUrl.replace(/\/$/, '')}${target}` : target)
    const keyed: Record<string, string> = key === 'none' ? {} : { authorization: 'Bearer ****' }
    const bytes = new TextEncoder().encode(answer.text)
    return journal.record({
      at: parseInstant(at) ?? 0,
      operation: null,
      method,
      base: url.origin,
      path: url.pathname,
      search: url.search,
      status: answer.status,
      durationMs: duration,
      requestHeaders: new Headers({ ...keyed, ...headers }),
      requestBody: body,
      responseHeaders: answer.headers,
      responseBody: { bytes: () => bytes },
      reliances: [],
      fault: null,
      nearMiss: null,
    })
  })
  return createHar(entries)
}

/** Tokens that answers show: those of webhooks. */
export function tokensIn(exchanges: readonly ProbeExchange[]): string[] {
  const texts = exchanges.flatMap(({ answer }) => [...answer.text.matchAll(/"auth_token"\s*:\s*"([^"]+)"/g)])
  return [...new Set(texts.map((match) => match[1] as string))]
}
