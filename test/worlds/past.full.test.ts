import { fileURLToPath } from 'node:url'
import { type RunningServer, startServer } from 'agent-mailbox-sim/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { openState } from '../../src/doors/state/logged-worlds.js'
import { readKeptPlay } from '../../src/runs/kept/kept-play.js'
import { keepPlay } from '../../src/runs/kept/results-folder.js'
import { loadStory } from '../../src/runs/replay/replay.js'
import { createRandom } from '../../src/service/time/random.js'
import { freePort, mustRun, startStore, storeProgram, whySkipped } from '../state/programs.js'
import { folderOf } from '../support/temporary-folder.js'

vi.setConfig({ testTimeout: 240_000 })

const url = 'http://127.0.0.1:9/hook'
const drafts = fileURLToPath(new URL('../../examples/extensions/drafts.ts', import.meta.url))
const desk = {
  scenario: 'desk',
  identities: [{ handle: 'support' }],
  webhooks: [{ url, events: ['message.received' as const, 'message.bounced' as const] }],
  bounces: ['gone@*'],
  timeline: [{ after: '5m', receive: { to: 'support', from: 'Ann <ann@mail.example>', text: 'Any news?' } }],
}

/** What is played: stories with extensions that have state, with webhooks, with correspondents, and under attack. */
const stories = [
  { scenario: 'refund-conversation', extend: ['common'] },
  { scenario: 'duplicate-delivery', extend: ['common'], assumptions: 'worst-case' },
  { scenario: 'prompt-injection', under: { attacks: 'all', form: 'hostile' } },
  { scenario: 'prompt-injection', under: { attacks: ['tokens-wanted'], form: 'benign' } },
  { scenario: desk, extend: ['common', drafts] },
] as const

/** A world that is played, with a way to send it requests. */
interface Played {
  readonly sim: Simulator
  readonly seen: Map<number, string>
  readonly server: RunningServer
}

/** Does something with a mailbox, as a client or beside it. */
async function act({ sim, server, seen }: Played, seed: number, turn: number): Promise<void> {
  const random = createRandom(seed, `turn ${turn}`)
  const agent = random.pick(sim.identities.list()).agent_handle
  const headers = { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' }
  const ask = async (path: string, method = 'GET', body?: object): Promise<void> => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    await (await fetch(`${server.url}/api/v1/${path}`, init)).arrayBuffer().catch(() => undefined)
  }
  const mail = { agent, to: random.pick(['ann@mail.example', 'gone@mail.example']), text: `Turn ${turn}` }
  const acts = [
    () => ask(`mail/threads?agent=${agent}`),
    () => ask(`identities/${agent}`, 'PATCH', { display_name: `Turn ${turn}` }),
    () => ask('mail/messages', 'POST', mail),
    () => ask('mail/drafts', 'POST', mail),
    async () => void sim.mail.receive({ to: agent, from: 'Bo <bo@mail.example>', text: `Turn ${turn}` }),
    () => sim.clock.advance(random.pick(['10s', '3m', '2h'])),
    async () => void sim.faults.add({ operation: 'threads.list', status: 503, times: 1, after: 1 }),
    async () => sim.assumptions.set({ 'threads.total': random.pick(['page-size', 'all-matches']) }),
    async () => {
      if (random.chance(0.3)) {
        sim.restore(sim.snapshot())
        seen.clear()
      } else sim.snapshot()
    },
  ]
  await random.pick(acts)()
}

/** Plays some turns; notes the digest of the world just after each entry of its log, where a play could have stopped. */
async function play(seed: number, place?: string) {
  const { under, ...named } = { under: undefined, ...stories[seed % stories.length] } as (typeof stories)[2]
  const initialState = await loadStory({ ...named, seed, under } as never)
  const state = place === undefined ? {} : { state: openState({ place, warn: () => undefined }) }
  const server = await startServer({ initialState, port: 0, clock: 'frozen', ...state } as never)
  onTestFinished(() => server.close())
  const { simulator: sim } = server
  const seen = new Map<number, string>()
  const played = { sim, server, seen, named }
  sim.events.log.subscribe((entry) => {
    if (entry && !seen.has(entry.seq)) seen.set(entry.seq, sim.digest())
  })
  // A server owns a world with its first request.
  await fetch(`${server.url}/api/v1/mail/threads`, { headers: { authorization: `Bearer ${sim.apiKey}` } })
  for (let turn = 0; turn < 16; turn++) await act(played, seed, turn)
  return played
}

function expectSame({ sim, seen }: Played): void {
  const { oldest } = sim.events.log
  for (const [at, digest] of seen) {
    // A restored world has a new log.
    if (at < oldest) continue
    const fork = sim.fork({ at })
    expect([at, fork.digest()]).toEqual([at, digest])
    fork.close()
  }
}

describe('a world as it was after each entry of its log is that of a play that stopped there', () => {
  const seeds = Array.from({ length: 50 }, (_, index) => index + 1)

  it('in memory, and in what a folder of results keeps', async () => {
    let compared = 0
    for (const seed of seeds) {
      const played = await play(seed)
      expectSame(played)
      compared += played.seen.size
      const folder = await folderOf()
      const { sim, named, seen } = played
      const { scenario, extend = [] } = named as { scenario: string; extend?: string[] }
      // Many worlds are created for each.
      if (typeof scenario !== 'string' || seed > 15) continue
      await keepPlay(folder, sim, { scenario, extend, files: [] })
      const kept = await readKeptPlay(folder)
      const initialState = await loadStory({ ...kept, extend: [...kept.extend] } as never)
      for (const [seq, digest] of seen) {
        if (seq < sim.events.log.oldest) continue
        const again = await createSimulator({ initialState, clock: 'frozen' } as never)
        again.view.world.continueAfter(await kept.read(again.view.world, seq))
        expect([seed, seq, again.digest()]).toEqual([seed, seq, digest])
        expect(again.timeline.upcoming().length).toBeGreaterThanOrEqual(sim.timeline.left)
        again.close()
      }
    }
    expect(compared).toBeGreaterThan(200)
  })

  it('with the state on disk', async () => {
    for (const seed of seeds.slice(0, 10)) expectSame(await play(seed, await folderOf()))
  })

  it.skipIf(storeProgram === undefined && !mustRun)(
    `with the state in a store (${storeProgram ?? whySkipped})`,
    async () => {
      const store = await startStore(await folderOf(), await freePort())
      for (const seed of seeds.slice(0, 10)) {
        expectSame(await play(seed, `${store.url}/${seed % 10}`))
      }
    },
  )
})
