import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { getResponse } from 'msw'
import { projectFile } from '../examples/languages.js'
import type { RecordedAnswers } from './record.js'
import { type Known, oddRequestsOf, type RecordedRequest, readsOf, writesOf } from './requests.js'
import { headingOf, type Moment, moments, oddlyAsked, type RecordedScenario } from './scenarios.js'
import { digestOf, shownAnswer, shownBody, shownHeaders } from './shown-answer.js'

/** Returns the answers of a scenario before, in the middle of and after its story, by moment and request. */
export async function storyAnswers(scenario: RecordedScenario, choice: string): Promise<RecordedAnswers> {
  const deliveries: string[] = []
  const simulator = await createSimulator({
    scenario: scenario.source.endsWith('.yaml') ? projectFile(scenario.source) : scenario.source,
    assume: choice,
    clock: 'frozen',
    onHint: () => undefined,
    onUndocumented: () => undefined,
    // Some attempts fail, so that the record has retries.
    receiver: async (request) => {
      deliveries.push(await shownDelivery(request))
      return new Response(null, { status: deliveries.length % 3 === 1 ? 503 : 204 })
    },
  })
  try {
    if (scenario.attacked) await simulator.attack((await simulator.attacks()).map(({ name }) => name))
    return await recordStory(simulator, scenario, choice, deliveries)
  } finally {
    simulator.close()
  }
}

async function recordStory(
  simulator: Simulator,
  scenario: RecordedScenario,
  choice: string,
  deliveries: readonly string[],
): Promise<RecordedAnswers> {
  const answers: RecordedAnswers = new Map()
  const instants = instantsOf(simulator)
  for (const moment of moments) {
    await simulator.clock.advanceTo(instants[moment])
    // A fault of the story would disturb whichever request comes first.
    simulator.faults.clear()
    const known = knownOf(simulator)
    const requests = [
      ...(moment === 'before' && oddlyAsked.includes(scenario.name) ? oddRequestsOf(known) : []),
      ...readsOf(known, scenario.sends),
      ...writesOf(known, moment, scenario.sends),
    ]
    const section = new Map<string, string>()
    for (const request of requests) {
      section.set(nameOf(request), await shownAnswer(await send(simulator, request)))
    }
    if (moment === 'after') {
      deliveries.slice(0, 8).forEach((shown, index) => {
        section.set(`delivery ${index + 1}`, shown)
      })
      section.set('all deliveries', `${deliveries.length}, ${digestOf(deliveries.join('\n'))}`)
      section.set('depended on', dependencesOf(simulator))
    }
    answers.set(headingOf(scenario, moment, choice), section)
  }
  return answers
}

/** When the moments of a story are; after it, every retry has had its turn. */
function instantsOf(simulator: Simulator): Record<Moment, string> {
  const begin = Date.parse(simulator.clock.now())
  const times = simulator.timeline.upcoming().map(({ at }) => Date.parse(at))
  const end = Math.max(begin + 60_000, ...times)
  const instant = (milliseconds: number): string => new Date(milliseconds).toISOString()
  const twoDays = 2 * 24 * 3600_000
  return { before: instant(begin), middle: instant((begin + end) / 2), after: instant(end + twoDays) }
}

/** What the requests of a moment are made from, read without requests. */
function knownOf({ identities, mailbox }: Simulator): Known {
  const agents = identities.list()
  const threads = agents.slice(0, 2).flatMap(({ agent_handle: agent }) => {
    const { threads: newest, total } = mailbox.threads({ agent, limit: 2 })
    const { threads: oldest } = mailbox.threads({ agent, limit: 1, offset: Math.max(2, total - 1) })
    return [...newest, ...oldest].map(({ id }) => id)
  })
  const message = threads[0] && mailbox.conversation(threads[0]).messages.at(-1)?.id
  return { agents, threads, message }
}

function nameOf({ method, path, body, name }: RecordedRequest): string {
  const words = [...(method === 'GET' ? [] : [method]), name ?? path, ...(body === undefined ? [] : [body])]
  return words.join(' ')
}

async function send(
  simulator: Simulator,
  { method, path, body, headers }: RecordedRequest,
): Promise<Response> {
  const request = new Request(`${simulator.baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${simulator.apiKey}`, ...headers },
    ...(body !== undefined && { body }),
  })
  const response = await getResponse(simulator.handlers, request)
  if (!response) throw new Error(`No handler responds to ${method} ${path}.`)
  return response
}

async function shownDelivery(request: Request): Promise<string> {
  return `${request.method} ${request.url} ${digestOf(shownHeaders(request.headers))} ${shownBody(await request.text())}`
}

/** The gaps that the answers so far depended on, with what was assumed for each. */
function dependencesOf(simulator: Simulator): string {
  return simulator
    .reliances()
    .map(({ gap, assumption, count }) => `${gap}=${assumption} ${count}`)
    .join(', ')
}
