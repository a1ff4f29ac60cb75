import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { Fold } from '../src/service/world/log-lines.js'
import { loadScenario } from '../src/story/load.js'
import { parseAssumptionsFile } from '../src/story/read/assumptions.js'
import { ask } from './server/control-client.js'
import { serveDesk } from './server/desk.js'
import { storyBeginning } from './support/world/story-world.js'

/** Names that lookups may find by mistake: an accessor of every object, and an inherited property. */
const names = ['__proto__', 'constructor']

/** Returns an object with one more own key. */
const withKey = (given: object, name: string, value: unknown = 1): never => {
  return Object.defineProperty({ ...given }, name, { value, enumerable: true }) as never
}

/** Yields the JSON with one more key in each of its objects in turn. */
function* withKeyAnywhere(document: object, name: string, value: string): Generator<[string, string]> {
  const open: [place: string, part: object][] = [['', document]]
  const seen = new Set<string>()
  for (const [place, part] of open) {
    for (const [key, child] of Object.entries(part)) {
      if (typeof child === 'object' && child)
        open.push([`${place}.${Array.isArray(part) ? '*' : key}`, child])
    }
    if (Array.isArray(part) || seen.has(place)) continue
    seen.add(place)
    const text = JSON.stringify(document, (_, one) => (one === part ? { MARK: 0, ...part } : one))
    yield [place, text.replace('"MARK":0', `"${name}":${value}`)]
  }
}

/** Returns the places with even or odd numbers: each name is tried in half of them. */
function everyOther<Item>(items: Iterable<Item>, name: string): Item[] {
  return [...items].filter((_, index) => index % 2 === names.indexOf(name))
}

const scenario = {
  scenario: 'names',
  organization: { name: 'Desk' },
  organizations: [{ name: 'Other', api_keys: ['other-key'], identities: [] }],
  assume: { 'threads.total': 'page-size' },
  identities: [
    {
      handle: 'support',
      threads: [{ key: 'k', messages: [{ from: 'a@b.example', at: '-1d', text: 'x' }] }],
      generate: { threads: 1, kinds: { support: 1 } },
    },
  ],
  webhooks: [{ url: 'http://127.0.0.1:9/', events: ['message.received'] }],
  timeline: [
    {
      after: '1s',
      receive: { to: 'support', attachments: [{ filename: 'a', text: 'x' }] },
      repeat: { times: 2 },
    },
    { after: '1s', fault: { operation: 'threads.list', status: 503 } },
    { after: '2s', assume: { 'threads.total': 'page-size' } },
    { when: { request: 'threads.list' }, update: { identity: 'support', description: 'x' } },
  ],
  expect: [
    { identity: 'support', has: { description: 'x' } },
    { request: 'threads.list', where: { query: { agent: 'support' } } },
  ],
}

describe('a property name of every JavaScript object', () => {
  it('is an unknown key in a scenario', async () => {
    await loadScenario(scenario as never)
    for (const name of names) {
      for (const [place, text] of everyOther(withKeyAnywhere(scenario, name, '"page-size"'), name)) {
        await expect(loadScenario(JSON.parse(text)), place).rejects.toThrow(name)
      }
    }
  })

  it('is an unknown key in a snapshot', async () => {
    const server = await serveDesk()
    const body = { to: 'support', from: 'a@b.example', attachments: [{ filename: 'a', content: '' }] }
    await ask(server, 'POST', '/messages', { body })
    await ask(server, 'POST', '/faults', { body: { operation: 'threads.list', status: 503 } })
    const { body: snapshot } = await ask(server, 'GET', '/snapshot')
    for (const name of names) {
      for (const [place, body] of everyOther(withKeyAnywhere(snapshot, name, '{}'), name)) {
        const { status } = await ask(server, 'PUT', '/snapshot', { body })
        expect({ place, name, status }).toEqual({ place, name, status: 400 })
      }
    }
    expect((await ask(server, 'PUT', '/snapshot', { body: snapshot })).status).toBe(200)
  })

  const calls: Readonly<Record<string, (sim: Simulator, name: string) => unknown>> = {
    createSimulator: (_, name) => createSimulator(withKey({}, name)),
    'its assumptions': (_, name) =>
      createSimulator({ scenario: { scenario: 'x' }, assume: withKey({}, name, 'page-size') }),
    'its deliveryFormat': (_, name) =>
      createSimulator({ scenario: { scenario: 'x' }, deliveryFormat: withKey({}, name) }),
    'assumptions.set': (sim, name) => sim.assumptions.set(withKey({}, name, 'page-size')),
    'faults.add': (sim, name) => sim.faults.add(withKey({ status: 503 }, name)),
    'mail.receive': (sim, name) => sim.mail.receive(withKey({ to: 'support' }, name)),
    'a file of mail.receive': (sim, name) =>
      sim.mail.receive({ to: 'support', attachments: [withKey({ filename: 'a', content: '' }, name)] }),
    'identities.create': (sim, name) => sim.identities.create(withKey({ handle: 'a' }, name)),
    'webhooks.create': (sim, name) =>
      sim.webhooks.create(withKey({ url: 'http://a.example', events: ['message.received'] }, name)),
    addWorld: (sim, name) => sim.addWorld(withKey({}, name)),
    waitFor: (sim, name) => sim.waitFor(withKey({}, name), { timeout: '1ms' }),
    'journal.exchanges': (sim, name) => sim.journal.exchanges(withKey({}, name)),
    'a reference of a scenario': (_, name) => {
      const timeline = [{ after: '1s' as const, read: { thread: name } }]
      return createSimulator({ scenario: { scenario: 'x', identities: [{ handle: 'a' }], timeline } })
    },
    'a file of assumptions': (_, name) => parseAssumptionsFile('x.yaml', `assume: { ${name}: page-size }`),
    'a log of a world': (_, name) => {
      const entry = { type: 'assumptions', seq: 1, at: '2026-01-05T09:00:00.000Z', from: 'x' }
      new Fold(storyBeginning()).apply({ ...entry, ...{ assumptions: withKey({}, name, 'page-size') } })
    },
  }

  it.each(Object.entries(calls))('is refused by %s', async (_, call) => {
    const sim = await createSimulator({ scenario: { scenario: 'x', identities: [{ handle: 'support' }] } })
    for (const name of names) {
      await expect((async () => await call(sim, name))(), name).rejects.toThrow(name)
    }
  })
})
