import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openServer } from '../../src/doors/server/start-server.js'
import { openSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { openState } from '../../src/doors/state/logged-worlds.js'
import { keepPlay, readKeptPlay } from '../../src/runs/kept/kept-play.js'
import { loadStory } from '../../src/runs/replay/replay.js'
import { freePort, mustRun, startStore, storeProgram, whySkipped } from '../state/programs.js'
import { folderOf } from '../support/temporary-folder.js'
import { act } from './acts.js'

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

/** A world that is played, with its digest just after each entry of its log. */
interface Played {
  readonly sim: Simulator
  readonly seen: Map<number, string>
}

/** Plays some turns; notes the digest of the world just after each entry of its log, where a play could have stopped. */
async function play(seed: number, place?: string) {
  const { under, ...named } = { under: undefined, ...stories[seed % stories.length] } as (typeof stories)[2]
  const initialState = await loadStory({ ...named, seed, under } as never)
  const state = place === undefined ? {} : { state: openState({ place, warn: () => undefined }) }
  const server = await openServer({ initialState, port: 0, clock: 'frozen', ...state } as never)
  onTestFinished(() => server.close())
  const { simulator: sim } = server
  const seen = new Map<number, string>()
  const played = { sim, seen, named }
  sim.events.log.subscribe((entry) => {
    if (entry && !seen.has(entry.seq)) seen.set(entry.seq, sim.digest())
  })
  // A server owns a world with its first request.
  await fetch(`${server.url}/api/v1/mail/threads`, { headers: { authorization: `Bearer ${sim.apiKey}` } })
  const acting = { sim, url: server.url, restored: () => seen.clear() }
  for (let turn = 0; turn < 16; turn++) await act(acting, seed, turn)
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
  const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

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
      if (typeof scenario !== 'string' || seed > 5) continue
      await keepPlay(folder, sim, { scenario, extend })
      const kept = await readKeptPlay(folder)
      const initialState = await loadStory({ ...kept, extend: [...kept.extend] } as never)
      for (const [seq, digest] of seen) {
        if (seq < sim.events.log.oldest) continue
        const again = await openSimulator({ initialState, clock: 'frozen' } as never)
        again.view.world.continueAfter(await kept.read(again.view.world, seq))
        expect([seed, seq, again.digest()]).toEqual([seed, seq, digest])
        expect(again.timeline.upcoming().length).toBeGreaterThanOrEqual(sim.timeline.left)
        again.close()
      }
    }
    expect(compared).toBeGreaterThan(200)
  })

  it('with the state on disk', async () => {
    for (const seed of seeds.slice(0, 5)) expectSame(await play(seed, await folderOf()))
  })

  it.skipIf(storeProgram === undefined && !mustRun)(
    `with the state in a store (${storeProgram ?? whySkipped})`,
    async () => {
      const store = await startStore(await folderOf(), await freePort())
      for (const seed of seeds.slice(0, 5)) {
        expectSame(await play(seed, `${store.url}/${seed}`))
      }
    },
  )
})
