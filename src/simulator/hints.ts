import { didYouMean } from '../contract/nearest.js'
import { shorten } from '../contract/shorten.js'
import type { RecordedExchange, World } from '../world/index.js'

/** At most so many hints are given: a client may make up names without end. */
const mostHints = 100

/** Creates what tells, once each, of likely mistakes that an answer hides since the readings in force allow them. */
export function createHints(
  tell: (hint: string) => void,
): (exchange: RecordedExchange, world: World) => void {
  const told = new Set<string>()
  return (exchange, world) => {
    if (exchange.status >= 400) return
    for (const [about, hint] of hintsOn(exchange, world)) {
      if (told.has(about) || told.size === mostHints) continue
      told.add(about)
      tell(hint())
    }
  }
}

/** What a hint is about, and how it reads. */
type Hint = readonly [about: string, hint: () => string]

function hintsOn(exchange: RecordedExchange, { store }: World): Hint[] {
  const { operation, search, reliances, requestBody } = exchange
  const hints: Hint[] = []
  if (reliances.some(({ gap }) => gap === 'auth.keys')) hints.push(['key', () => keyHint])
  const agent = new URLSearchParams(search).get('agent')
  if (agent && operation?.endsWith('.list') && !store.identityAnywhere(agent.replace(/^@/, ''))) {
    hints.push([
      `agent ${agent}`,
      () =>
        agentHint(
          agent,
          [...store.all('identity')].map((row) => row.agent_handle),
        ),
    ])
  }
  if (operation === 'identities.update') {
    for (const field of unknownFields(requestBody)) hints.push([`field ${field}`, () => fieldHint(field)])
  }
  return hints
}

const keyHint =
  'A key that the scenario does not list was accepted; --reading auth.keys=listed-keys has such keys refused.'

function agentHint(agent: string, handles: readonly string[]): string {
  const known =
    handles.length === 0 ? 'there is no agent' : `the agents are ${handles.slice(0, 10).join(', ')}`
  return `agent=${JSON.stringify(shorten(agent))} is nobody${didYouMean(agent, handles) || `; ${known}.`}`
}

function fieldHint(field: string): string {
  const hint = didYouMean(field, fields) || `; those that do something are ${fields.join(' and ')}.`
  return `The field ${JSON.stringify(shorten(field))} of a PATCH was ignored${hint}`
}

const fields = ['display_name', 'description']

function unknownFields(body: string | null): string[] {
  try {
    const given: unknown = JSON.parse(body ?? '{}')
    return Object.keys(given as object).filter((name) => !fields.includes(name))
  } catch {
    return []
  }
}
