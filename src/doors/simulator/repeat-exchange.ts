import type { AssumptionChoices } from '../../service/assumptions/assumptions.js'
import type { Service } from '../../service/requests/service.js'
import type { Exchange } from '../../service/world/exchange.js'
import type { JournalView } from './controls.js'

/**
 * Handles a request of a world's journal once more, in the present state of that world: with its key and its fault, and under
 * the assumptions that were in force for its response, or those in `choices`. Changes and records nothing. Undefined if the journal
 * does not have it. @throws AssumptionError
 */
export async function repeatExchange(
  { service, journal }: { readonly service: Service; readonly journal: JournalView },
  seq: number,
  choices: AssumptionChoices = {},
): Promise<Exchange | undefined> {
  const [entry] = journal.entries({ since: seq - 1, limit: 1 })
  const reply = entry?.seq === seq ? await service.repeat(entry.recorded, choices) : undefined
  if (!entry || !reply) return undefined
  const { status, headers: responseHeaders, body: responseBody } = reply
  return entry.withAnswer({ status, responseHeaders, responseBody }).show()
}
