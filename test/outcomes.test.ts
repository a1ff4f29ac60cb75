import { createSimulator, type Message, type ScenarioInput, type Simulator } from 'agent-mailbox-sim'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask } from './server/control-client.js'
import { serveDesk } from './server/desk.js'
import { askHandlers } from './support/ask-handlers.js'

/** `a@x.example`, `b@x.example` and so on. */
const letters = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `${letter}@x.example`)

const office: ScenarioInput = {
  scenario: 'office',
  seed: 5,
  start: '2026-01-05T09:00:00Z',
  bounces: ['*@invalid.example', 'Gone@*.example'],
  identities: [
    {
      handle: 'news',
      threads: [
        {
          key: 'offer',
          subject: 'An offer',
          messages: [
            { key: 'asked', at: '-3d', from: 'Ann <ann@mail.example>', text: 'What does it cost?' },
            { key: 'first', direction: 'outbound', at: '-2d', text: 'Ten.' },
            { key: 'second', direction: 'outbound', at: '-1d', to: letters, text: 'Nine.' },
          ],
        },
        { key: 'silent', messages: [{ at: '-1d', from: 'Ben <ben@mail.example>', text: 'Hello?' }] },
        { messages: [{ key: 'loose', direction: 'outbound', at: '-1d', text: 'By the way' }] },
      ],
    },
    { handle: 'sales', locale: 'de' },
  ],
  organizations: [{ api_keys: ['other'], identities: [{ handle: 'eva' }] }],
}

type Timeline = NonNullable<ScenarioInput['timeline']>

async function begin(timeline: Timeline = [], options = {}): Promise<Simulator> {
  const sim = await createSimulator({ scenario: { ...office, timeline }, clock: 'frozen', ...options })
  onTestFinished(() => sim.close())
  return sim
}

async function played(timeline: Timeline): Promise<Simulator> {
  const sim = await begin(timeline)
  await sim.clock.advance('1h')
  return sim
}

interface Outcome {
  readonly type: string
  readonly at: string
  readonly agent_handle: string
  readonly message_id: string
  readonly recipient?: string
}

/** Returns the outcomes of mail so far, with or without subscriptions. */
function outcomesOf(sim: Pick<Simulator, 'events'>): Outcome[] {
  const happenings = sim.events.after(0).filter(({ type }) => type === 'event')
  return happenings.map(({ data }) => data as Outcome).filter(({ type }) => type !== 'message.received')
}

/** One line for each outcome: its time, type and recipient. */
function linesOf(sim: Simulator): string[] {
  return outcomesOf(sim).map(({ type, at, recipient = 'nobody' }) => {
    return `${at.slice(14, 19)} ${type.replace('message.', '')} ${recipient}`
  })
}

/** The texts of the messages that outcomes are about. */
async function textsOf(sim: Simulator): Promise<(string | null | undefined)[]> {
  const lists = ['news', 'sales'].map(async (agent) => {
    const { body } = await askHandlers(sim, 'GET', `/mail/messages?agent=${agent}&limit=100`)
    return body.messages as Message[]
  })
  const messages = (await Promise.all(lists)).flat()
  return outcomesOf(sim).map(({ message_id: id }) => messages.find((message) => message.id === id)?.text)
}

function problemsOf(sim: Simulator): string[] {
  return sim.timeline.played().flatMap(({ problem }) => problem ?? [])
}

describe('mail to a bouncing address', () => {
  const recipients = ['ann@mail.example', 'Box@Invalid.example', 'gone@mail.example']
  const lines = ['bounced Box@Invalid.example', 'bounced gone@mail.example']

  it('bounces at once if the timeline, a test or the control API sends it', async () => {
    const sim = await played([{ after: '5s', send: { from: 'news', to: recipients, subject: 'Hello' } }])
    expect(linesOf(sim)).toEqual(lines.map((line) => `00:05 ${line}`))
    const server = await serveDesk({ scenario: office })
    const { message } = await server.simulator.mail.send({ from: 'sales', to: recipients, subject: 'Hello' })
    for (const outcome of outcomesOf(server.simulator)) {
      expect(outcome).toMatchObject({ agent_handle: 'sales', message_id: message.id })
    }
    const mail = { direction: 'outbound', from: 'news', to: recipients, subject: 'Hello', text: 'Hello' }
    expect((await ask(server, 'POST', '/messages', { body: mail })).status).toBe(201)
    expect(linesOf(server.simulator)).toEqual([...lines, ...lines].map((line) => `00:00 ${line}`))
  })

  it('notifies only the agent that sent it', async () => {
    const sim = await begin()
    const bodies: unknown[] = []
    const events = ['message.bounced'] as const
    sim.webhooks.create({ url: 'http://news.test/', events, agentHandle: 'news' })
    sim.webhooks.create({ url: 'http://sales.test/', events, agentHandle: 'sales' })
    sim.webhooks.on('*', async (request) => void bodies.push([request.url, (await request.json()).data]))
    await sim.mail.send({ from: 'eva', to: 'box@invalid.example' })
    const { message } = await sim.mail.send({ from: 'sales', to: 'box@invalid.example' })
    await sim.clock.advance('1s')
    expect(bodies).toMatchObject([
      ['http://sales.test/', { message_id: message.id, recipient: 'box@invalid.example' }],
    ])
    expect(outcomesOf(sim).map(({ agent_handle }) => agent_handle)).toEqual(['eva', 'sales'])
  })
})

describe('deliver and bounce in a timeline', () => {
  it('apply to the latest mail sent in the thread', async () => {
    const sim = await played([
      { after: '1m', bounce: { thread: 'offer' } },
      { after: '2m', send: { thread: 'offer', text: 'Eight.' } },
      { after: '3m', receive: { thread: 'offer', text: 'Well.' } },
      { after: '4m', deliver: { thread: 'offer' } },
    ])
    expect(linesOf(sim)).toEqual(['01:00 bounced nobody', '04:00 delivered nobody'])
    expect(await textsOf(sim)).toEqual(['Nine.', 'Eight.'])
  })

  it('apply to the message of a key or of an entry', async () => {
    const sim = await played([
      { after: '1m', deliver: { thread: 'offer', message: 'first' } },
      { after: '1m', bounce: { message: 'loose' } },
      { after: '6m', bounce: { message: 'letter', recipient: 'Ann Lee <Ann@mail.example>' } },
      { after: '7m', bounce: { message: 'mailing', identity: 'news' } },
      {
        after: '4m',
        send: {
          key: 'letter',
          from: 'sales',
          to: 'ann@mail.example',
          subject: 'A letter',
          text: 'A letter',
        },
      },
      { key: 'mailing', after: '4m', send: { from: 'news', subject: 'A mailing', text: 'A mailing' } },
      { after: '5m', send: { thread: 'offer', text: 'Eight.' } },
    ])
    expect(problemsOf(sim)).toEqual([])
    expect(linesOf(sim)).toEqual([
      '01:00 delivered nobody',
      '01:00 bounced nobody',
      '06:00 bounced ann@mail.example',
      '07:00 bounced nobody',
    ])
    expect(await textsOf(sim)).toEqual(['Ten.', 'By the way', 'A letter', 'A mailing'])
  })

  it('cycle through the recipients', async () => {
    const sim = await played([
      {
        after: '1m',
        repeat: { times: 5, every: '10s' },
        bounce: { thread: 'offer', recipient: ['a@x.example', 'B <b@x.example>'] },
      },
      {
        after: '2m',
        repeat: { times: 2, every: '1s' },
        deliver: { thread: 'offer', recipient: 'c@x.example' },
      },
    ])
    expect(linesOf(sim)).toEqual([
      '01:00 bounced a@x.example',
      '01:10 bounced b@x.example',
      '01:20 bounced a@x.example',
      '01:30 bounced b@x.example',
      '01:40 bounced a@x.example',
      '02:00 delivered c@x.example',
      '02:01 delivered c@x.example',
    ])
  })

  it('report a thread without sent mail as a problem and continue', async () => {
    const sim = await played([
      { after: '1m', bounce: { thread: 'silent' } },
      { after: '2m', deliver: { thread: 'offer' } },
    ])
    expect(problemsOf(sim)).toEqual([
      expect.stringMatching(
        /^Nothing was sent in the thread "thrd_\w+" yet; have the agent send a message there first\.$/,
      ),
    ])
    expect(linesOf(sim)).toEqual(['02:00 delivered nobody'])
  })

  it('report a missing recipient as a problem', async () => {
    const sim = await begin([{ after: '1m', bounce: { thread: 'offer', recipient: 'a@x.example' } }])
    const thread = sim.threads.list({ agent: 'news' }).find(({ subject }) => subject === 'An offer')
    const { message } = await sim.mail.send({
      from: 'news',
      to: 'boss@x.example',
      thread: thread?.id ?? '',
      text: 'Well?',
    })
    await sim.clock.advance('1h')
    expect(problemsOf(sim)).toEqual([
      `The message "${message.id}" has no recipient "a@x.example"; it goes to boss@x.example.`,
    ])
    expect(linesOf(sim)).toEqual([])
  })

  it('are delivered to their subscriptions', async () => {
    const sim = await begin([
      { after: '1m', deliver: { message: 'first', recipient: 'ann@mail.example' } },
      { after: '2m', bounce: { message: 'first' } },
    ])
    const told: unknown[] = []
    sim.webhooks.create({ url: 'http://bounced.test/', events: ['message.bounced'] })
    sim.webhooks.create({ url: 'http://both.test/', events: ['message.bounced', 'message.delivered'] })
    sim.webhooks.on('*', async (request) => {
      const { event, data } = await request.json()
      told.push([request.url, event, data.recipient])
    })
    await sim.clock.advance('1h')
    expect(told).toEqual([
      ['http://both.test/', 'message.delivered', 'ann@mail.example'],
      ['http://bounced.test/', 'message.bounced', undefined],
      ['http://both.test/', 'message.bounced', undefined],
    ])
  })
})
