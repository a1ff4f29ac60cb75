import { z } from '../../base/schema.js'
import type { AssumptionChoices } from '../../service/assumptions/assumptions.js'
import type { Exchange } from '../../service/world/exchange.js'
import { compileById, followNow, type Judged, judgeNow } from '../../story/expectations/judge-now.js'
import { expectation } from '../../story/expectations/kinds.js'
import { judgedAttacks } from '../simulator/attacks.js'
import type { Simulator } from '../simulator/simulator.js'
import { assumptionChoices } from './assumptions.js'
import { control, listNamed, part, type RequestInput } from './control.js'
import { ControlError } from './errors.js'

/** The routes of what a client is judged by. */
export const judgingRoutes = [
  control({
    route: 'GET /sent',
    summary: 'Lists the mail that agents sent with requests that the journal keeps, oldest first.',
    query: () =>
      z.object({
        agent: z.string().optional().describe('Only mail of the agent with this handle.'),
        ...part(),
      }),
    answer: listNamed('sent'),
    perform(simulator: Simulator, { agent, since = 0, limit }: RequestInput) {
      const sent = simulator.sent({ agent }).filter(({ exchange }) => exchange > since)
      return { sent: sent.slice(0, limit) }
    },
  }),
  control({
    route: 'GET /expectations',
    summary: 'Reports whether each expectation of the scenario would hold if the story ended now.',
    answer: listNamed('expectations'),
    perform(simulator: Simulator) {
      return { expectations: followNow(simulator).results() }
    },
  }),
  control({
    route: 'POST /judge',
    summary:
      'Judges an expectation in the words of a scenario, as if the story ended now; threads and messages by their keys or ids.',
    body: () => z.strictObject({ expectation }),
    answer: () => z.object({ held: z.boolean(), expected: z.string(), found: z.string() }).loose(),
    async perform(simulator: Simulator, input: RequestInput): Promise<Judged> {
      const written = input['expectation']
      const byId = compileById(simulator, written)
      // Or it names parts of the story by their keys, or nothing that there is.
      return judgeNow(simulator, byId ?? (await simulator.expectationOf(written)))
    },
  }),
  control({
    route: 'GET /attacks',
    summary:
      'Lists the attacks of the scenario, with the results so far of those that are laid over the story.',
    answer: listNamed('attacks'),
    perform: async (simulator: Simulator) => ({ attacks: await judgedAttacks(simulator) }),
  }),
  control({
    route: 'POST /journal/{seq}/repeat',
    summary:
      'Handles a recorded request again, with the present state of the world and the same key, fault and assumptions; changes and ' +
      'records nothing.',
    body: () =>
      z.strictObject({
        assumptions: assumptionChoices()
          .optional()
          .describe('Assumptions instead of those that were in force for the recorded response.'),
      }),
    bodyOptional: true,
    async perform(simulator: Simulator, seq: string, { assumptions }: RequestInput) {
      const repeated = await repeatExchange(simulator, Number(seq), assumptions)
      if (repeated) return { status: repeated.status, response: repeated.response }
      const what = `The journal has no request ${seq} with a response`
      throw new ControlError('not_found', `${what}; GET /_sim/journal lists those that are kept.`)
    },
  }),
]

/**
 * Handles a request of a world's journal once more, in the present state of that world: with its key and its fault, and under
 * the assumptions that were in force for its response, or those in `choices`. Changes and records nothing. Undefined if the
 * journal does not have it. @throws WorldError
 */
export async function repeatExchange(
  { service, journal }: Pick<Simulator, 'service' | 'journal'>,
  seq: number,
  choices: AssumptionChoices = {},
): Promise<Exchange | undefined> {
  const [entry] = journal.entries({ since: seq - 1, limit: 1 })
  const reply = entry?.seq === seq ? await service.repeat(entry.recorded, choices) : undefined
  if (!entry || !reply) return undefined
  const { status, headers: responseHeaders, body: responseBody } = reply
  return entry.withAnswer({ status, responseHeaders, responseBody }).show()
}
