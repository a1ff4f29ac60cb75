import { expect, it } from 'vitest'
import { openSimulator } from '../../../doors/simulator/create-simulator.js'
import type { Simulator } from '../../../doors/simulator/simulator.js'
import type { ScenarioInput } from '../../../story/format/scenario.js'
import { loadScenario } from '../../../story/load.js'
import type { Play } from '../../play.js'
import { type KindName, kindNames, type Undisturbed } from '../disturbance.js'
import { parseTrace } from '../player.js'
import { disturbanceOf, inOrder, kinds, plannedFor } from './kinds.js'

const hook = 'http://agent.test/hook'

const desk: ScenarioInput = {
  scenario: 'desk',
  extend: 'common',
  secrets: { code: 'K7-2931-XY' },
  identities: [
    {
      handle: 'support',
      threads: [{ key: 'ann', messages: [{ from: 'Ann <ann@example.com>', text: 'Where is my parcel?' }] }],
    },
  ],
  webhooks: [{ url: hook, events: ['message.received'] }],
  timeline: [
    { after: '10s', receive: { thread: 'ann', text: 'Any news?' } },
    {
      after: '20s',
      receive: { to: 'support', from: 'Bo <bo@example.com>', subject: 'Mine', text: 'And here?' },
    },
  ],
  expect: [
    { sent: { to: 'ann@example.com' }, at_least: 1 },
    { sent: { to: 'bo@example.com' }, within: '1h' },
    { request: 'threads.list', at_least: 1 },
    { leak: 'none' },
    { request: 'messages.reply', at_most: 9 },
    { invariant: 'answers-everyone' },
  ],
}

function sender({ baseUrl, apiKey, handlers }: Simulator) {
  return async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const request = new Request(`${baseUrl}/api/v1${path}`, { ...init, headers })
    for (const handler of handlers) {
      const result = await handler.run({ request, requestId: '1' })
      if (result?.response) return result.response.json()
    }
    return undefined
  }
}

const reply = { method: 'POST', body: JSON.stringify({ text: 'It is on its way.' }) }

/** Lists the mail, and answers each event. */
async function act(simulator: Simulator): Promise<void> {
  const { webhooks, clock } = simulator
  const send = sender(simulator)
  const events: { data: { message_id: string } }[] = []
  webhooks.on(hook, async (request) => void events.push(JSON.parse(await request.text())))
  await send('/mail/threads?agent=support&limit=10')
  for (let round = 0; round < 3; round++) {
    await clock.advance('10s')
    for (const { data } of events.splice(0)) await send(`/mail/messages/${data.message_id}/reply`, reply)
  }
}

/** Reads the newest message of each thread, and answers them from the one that it read last. */
async function readFirst(simulator: Simulator): Promise<void> {
  const send = sender(simulator)
  await simulator.clock.advance('20s')
  const { threads } = await send('/mail/threads')
  const ids: string[] = []
  for (const { id } of threads) {
    const { messages } = await send(`/mail/messages?thread_id=${id}&limit=10`)
    ids.push(messages.at(-1).id)
  }
  for (const id of ids.reverse()) await send(`/mail/messages/${id}/reply`, reply)
}

async function undisturbed(document: ScenarioInput, agent = act): Promise<Undisturbed> {
  const story = await loadScenario(document)
  const simulator = await openSimulator({ initialState: story, clock: 'frozen' })
  await agent(simulator)
  simulator.close()
  const exchanges = simulator.journal.exchanges()
  const played = { simulator, receives: true, agent: { ended: 'by-itself' } } as Play
  const lines = exchanges.flatMap(({ reliances }) => reliances.map((one) => JSON.stringify(one)))
  return { document, story, play: played, exchanges, relied: parseTrace(lines.join('\n')) }
}

const facts = await undisturbed(desk)
const planned = kindNames.flatMap((name) => plannedFor(facts, [name]))

it('ranks what is most valuable, each place once', () => {
  const ranked = planned.filter(({ rank }) => rank !== undefined)
  expect(Object.fromEntries(ranked.map(({ rank, id }) => [rank, id]))).toMatchInlineSnapshot(`
    {
      "1": "faults/messages.reply/1/lost",
      "2": "deliveries/message.received/1/twice",
      "4": "mail/long-inbox/support/10",
      "5": "restarts/kill/sent/1",
      "6": "faults/threads.list/1/503",
      "7": "attacks/all",
      "8": "mail/away/start/support",
      "9": "mail/html-only",
    }
  `)
  expect(new Set(ranked.map(({ rank }) => rank)).size).toBe(ranked.length)
})

it('plans everything once, by ids from which it follows', () => {
  expect(new Set(planned.map(({ id }) => id)).size).toBe(planned.length)
  expect(planned.map(({ id }) => `${id}: ${disturbanceOf(id, facts)?.words}`)).toMatchInlineSnapshot(`
    [
      "faults/messages.reply/1/lost: the response to messages.reply (1) is lost after the request was performed (504)",
      "faults/threads.list/1/503: the response to threads.list (1) is 503 with Retry-After: 5",
      "faults/messages.reply/2/lost: the response to messages.reply (2) is lost after the request was performed (504)",
      "faults/messages.reply/1/503: the response to messages.reply (1) is 503 with Retry-After: 5",
      "faults/messages.reply/1/429: the response to messages.reply (1) is 429 with Retry-After: 30",
      "faults/messages.reply/1/reset: the response to messages.reply (1) never comes, for the connection is reset, after the request was performed",
      "faults/messages.reply/1/slow: the response to messages.reply (1) takes 90 seconds, after the request was performed",
      "faults/messages.reply/1/truncated: the response to messages.reply (1) breaks off after 20 bytes",
      "faults/messages.reply/2/503: the response to messages.reply (2) is 503 with Retry-After: 5",
      "faults/threads.list/1/429: the response to threads.list (1) is 429 with Retry-After: 30",
      "faults/threads.list/1/reset: the response to threads.list (1) never comes, for the connection is reset",
      "faults/threads.list/1/slow: the response to threads.list (1) takes 90 seconds",
      "faults/threads.list/1/truncated: the response to threads.list (1) breaks off after 20 bytes",
      "faults/messages.reply/2/429: the response to messages.reply (2) is 429 with Retry-After: 30",
      "faults/messages.reply/2/reset: the response to messages.reply (2) never comes, for the connection is reset, after the request was performed",
      "faults/messages.reply/2/slow: the response to messages.reply (2) takes 90 seconds, after the request was performed",
      "faults/messages.reply/2/truncated: the response to messages.reply (2) breaks off after 20 bytes",
      "deliveries/message.received/1/twice: message.received (1) is delivered twice",
      "deliveries/message.received/2/twice: message.received (2) is delivered twice",
      "deliveries/late/10s receive: the event of "10s receive" comes only after that of "20s receive"",
      "deliveries/late/20s receive: the event of "20s receive" comes 2m late",
      "deliveries/before-listed: an event comes before its message is listed",
      "restarts/kill/sent/1: the agent is killed and started again once its message 1 is sent, before it gets the response",
      "restarts/kill/sent/2: the agent is killed and started again once its message 2 is sent, before it gets the response",
      "restarts/kill/messages.reply/1: the agent is killed and started again at its request messages.reply (1), which is not performed",
      "restarts/kill/messages.reply/2: the agent is killed and started again at its request messages.reply (2), which is not performed",
      "restarts/kill/message.received/1: the agent is killed and started again once it has accepted message.received (1)",
      "restarts/kill/message.received/2: the agent is killed and started again once it has accepted message.received (2)",
      "mail/long-inbox/support/10: 10 newer threads fill the first page of the inbox of support",
      "mail/away/start/support: an automatic reply comes",
      "mail/html-only: every message is written as HTML only",
      "mail/bounce/start/support: a bounce of a message to somebody else comes",
      "mail/list/start/support: the digest of a mailing list comes",
      "mail/machine/start/support: a message that a machine sends comes",
      "mail/together/10s receive: "20s receive" comes in the same second as "10s receive"",
      "attacks/all: hostile mail comes",
      "assumptions/messages.headers/list: messages.headers has the assumption list",
      "assumptions/messages.outbound-direction/sent: messages.outbound-direction has the assumption sent",
      "assumptions/messages.empty-body/null: messages.empty-body has the assumption null",
      "assumptions/format.timestamps/seconds: format.timestamps has the assumption seconds",
      "assumptions/messages.headers/omitted: messages.headers has the assumption omitted",
      "assumptions/messages.empty-body/absent: messages.empty-body has the assumption absent",
    ]
  `)
})

it.each(planned.map(({ id }) => id))(
  'edits the scenario for %s so that it can be loaded, with what it had in its place',
  async (id) => {
    const edited = disturbanceOf(id, facts)?.edit?.(desk) ?? desk
    await loadScenario(edited)
    expect(edited.expect).toEqual(desk.expect)
    const before = edited.timeline?.slice(0, desk.timeline?.length)
    expect(before?.map(({ receive }) => receive?.text)).toEqual(
      desk.timeline?.map(({ receive }) => receive?.text),
    )
    for (const entry of edited.timeline?.slice(2) ?? []) expect(entry.key).toBeDefined()
  },
)

it('lays the attacks that ship over a scenario without any, and says whether to try again after a reset', () => {
  const [attacked, read, write] = [
    'attacks/all',
    'faults/threads.list/1/reset',
    'faults/messages.reply/1/reset',
  ].map((id) => disturbanceOf(id, facts))
  expect(attacked?.edit?.(desk).attacks).toEqual(['common'])
  expect([read?.advice, write?.advice]).toEqual([
    expect.stringMatching(/^Try again/),
    expect.not.stringMatching(/^Try again/),
  ])
})

it('plans mail that comes between what an agent reads and what it answers, if it goes on', async () => {
  const goingOn = ({ play, ...others }: Undisturbed) => {
    return { ...others, play: { ...play, agent: undefined } } as unknown as Undisturbed
  }
  const running = goingOn(await undisturbed(desk, readFirst))
  const ids = plannedFor(running, ['mail']).map(({ id }) => id)
  expect(ids).toMatchInlineSnapshot(`
    [
      "mail/meanwhile/messages.reply/1/support/2/bo@example.com",
      "mail/long-inbox/support/50",
      "mail/away/sent/1",
      "mail/html-only",
      "mail/after-answer/1/support/ann@example.com",
      "mail/away/start/support",
      "mail/bounce/start/support",
      "mail/list/start/support",
      "mail/machine/start/support",
      "mail/again/1/support",
      "mail/together/10s receive",
      "mail/long-thread/support/10/ann@example.com",
      "mail/after-answer/2/support/bo@example.com",
    ]
  `)
  for (const id of ids) {
    const { edit } = disturbanceOf(id, running) ?? {}
    expect(edit, id).toBeDefined()
    await loadScenario(edit?.(desk) ?? desk)
  }
  // Where it has read nothing since the mail came, nothing can come between.
  const others = plannedFor(goingOn(facts), ['mail']).map(({ id }) => id)
  expect(others.filter((id) => id.startsWith('mail/meanwhile'))).toEqual([])
})

it('has no disturbance for an id that the scenario knows nothing of', () => {
  const wrong = [
    ...[
      'faults/threads.list/0/503',
      'faults/threads.open/1/503',
      'faults/threads.list/1/gone',
      'faults/threads.list/1/lost',
    ],
    ...['deliveries/late/nothing', 'restarts/down/nothing', 'restarts/kill/nothing/1', 'time/slow-model/1s'],
    ...['mail/long-inbox/support', 'mail/nothing', 'attacks/', 'assumptions/threads.total/x'],
  ]
  for (const id of wrong) expect(disturbanceOf(id, facts), id).toBeUndefined()
})

it('leaves expectations standing that a disturbance does not touch', () => {
  const { expect: expectations = [] } = desk
  const judged = kindNames.map((name) => {
    const [first] = kinds[name].planned(facts)
    const left = expectations.filter(
      (one) => first && kinds[name].judges(one, facts, `${name}/${first.name}`),
    )
    return [name, left.map((one) => expectations.indexOf(one)).join()]
  })
  expect(Object.fromEntries(judged)).toEqual({
    ...{ faults: '0,3', deliveries: '0,3', restarts: '0,3', time: '', mail: '3', attacks: '0,1,2,3' },
    assumptions: '0,1,2,3,4,5',
  })
})

it('tries the most valuable first, then the kinds in turn, and one of each group before the second', () => {
  const one = (id: string, rank?: number) => {
    const [kind = '', group = ''] = id.split('/')
    return { id, kind: kind as KindName, group, rank }
  }
  const ordered = inOrder([
    ...['faults/503/1', 'faults/503/2', 'faults/lost/1'].map((id) => one(id)),
    one('mail/html', 9),
    ...['assumptions/a/1', 'assumptions/a/2'].map((id) => one(id)),
    one('faults/lost/first', 1),
  ])
  expect(ordered.map(({ id }) => id)).toEqual([
    ...['faults/lost/first', 'mail/html', 'faults/503/1', 'assumptions/a/1'],
    ...['faults/lost/1', 'assumptions/a/2', 'faults/503/2'],
  ])
})

it('knows from a trace what responses depended on, and what could be chosen instead', () => {
  const total = { gap: 'threads.total', operation: 'threads.list' }
  const instead = (...lines: readonly object[]) => {
    return [...parseTrace(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))]
  }
  const first = { ...total, assumption: 'all-matches', instead: ['all-threads'] }
  const second = { ...total, assumption: 'page-size', instead: ['all-matches'], from: 'default' }
  const order = { ...total, gap: 'threads.order', assumption: 'created-asc', instead: ['unspecified'] }
  expect(instead(first, order, second)).toEqual([
    ['threads.order', ['unspecified']],
    ['threads.total', ['all-matches', 'all-threads']],
  ])
  // What the command or the scenario chose is not varied; a profile or the environment chooses nothing by name.
  const from = (...names: readonly string[]) => instead(...names.map((name) => ({ ...second, from: name })))
  expect(['options', 'scenario'].map((name) => from(name))).toEqual(Array(2).fill([['threads.total', []]]))
  expect(from('scenario', 'options')).toEqual([['threads.total', []]])
  for (const name of ['scenario: worst-case', 'MAILBOX_SIM_ASSUME: seed:7', 'default'])
    expect(from('scenario', name)).toEqual([['threads.total', ['all-matches']]])
  const wrong = ['{"gap":"threads.total","assumption":"all-mat', 'null', '7', '[]', '{"gap":1}']
  const unknown = JSON.stringify({ gap: 'threads.colour', assumption: 'red', instead: ['blue'] })
  expect(parseTrace([...wrong, unknown].join('\n')).size).toBe(0)
})
