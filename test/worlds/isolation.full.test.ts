import type { Simulator } from 'agent-mailbox-sim'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { Client, type Script, script } from './script.js'
import { type Host, hosts, type ScriptWorld, separateWorld } from './script-worlds.js'

const open: Host[] = []
afterEach(async () => {
  for (const host of open.splice(0)) await host.close()
})

describe.each(Object.entries(hosts))('forty worlds of one simulator %s', (_, openHost) => {
  it('answer eighty concurrent clients as each world does alone', async () => {
    const { seed = Date.now() % 2 ** 31 } = fc.readConfigureGlobal()
    // Not a property that fast-check shrinks: fewer worlds would interfere less.
    const scripts = fc.sample(script, { numRuns: 40, seed })
    const host = await openHost()
    open.push(host)
    const before = host.simulator.digest()
    const together = await Promise.all(
      scripts.map(async (one) => {
        await forkAndClose(host)
        return play(await host.world(one.seed), one)
      }),
    )
    for (const [index, outcome] of together.entries()) {
      const one = scripts[index] as Script
      const alone = await play(await separateWorld(one.seed), one)
      expect(firstDifference(outcome, alone), `world ${index} of seed ${seed}`).toBeUndefined()
    }
    expect(host.simulator.digest()).toBe(before)
    expect(host.simulator.journal.exchanges()).toEqual([])
  }, 120_000)
})

/** Creates a world among the others and drops it. */
async function forkAndClose({ simulator }: Host): Promise<void> {
  const world = simulator.fork()
  await world.mail.receive({ to: 'eva', text: 'Passing by' })
  world.faults.add({ handle: 'tom', reset: true })
  await world.clock.advance('4h')
  world.close()
}

/** The lines that describe a world after a script: what each client received, then its journal and state. */
type Outcome = readonly string[]

async function play(world: ScriptWorld, { stretches }: Script): Promise<Outcome> {
  const clients = [new Client(world), new Client(world)] as const
  for (const { inTurn, apart } of stretches) {
    for (const { client, act } of inTurn) await clients[client].perform([act])
    await Promise.all(clients.map((client, index) => client.perform(apart[index as 0 | 1])))
  }
  // Deliveries in flight would be in the snapshot.
  await world.simulator.clock.advance('1s')
  const answers = clients.flatMap((client, index) => client.answers.map((line) => `client ${index}: ${line}`))
  return [...answers, ...stateOf(world), world.simulator.digest()]
}

/** Returns the journal and state without wall times and the order of concurrent requests. */
function stateOf({ simulator, plain }: ScriptWorld): string[] {
  const { journal, faults, assumptions, timeline, clock } = simulator
  const exchanges = journal.exchanges().map(({ at, method, path, query, status, ...more }) => {
    const { operation, response, request, reliances, fault, near_miss } = more
    const body = response.body === null ? null : plain(response.body)
    return [at, operation, method, path, query, request.body, status, body, reliances, fault, near_miss]
  })
  const commands = journal.commands().map(({ at, command }) => [at, command])
  const rest = [faults.list(), assumptions.current(), assumptions.origins(), timeline.played(), clock.now()]
  const lines = (list: readonly unknown[]) => list.map((line) => JSON.stringify(line))
  return [
    ...lines(exchanges).sort(),
    ...lines(commands).sort(),
    ...lines([...rest, plainSnapshot(simulator)]),
  ]
}

/** Returns a snapshot without the order of rows. */
function plainSnapshot(simulator: Simulator): object {
  const snapshot = simulator.snapshot()
  const rows = Object.entries(snapshot.rows).map(([model, list]) => {
    return [model, (list ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1))]
  })
  return { ...snapshot, rows: Object.fromEntries(rows) }
}

function firstDifference(together: Outcome, alone: Outcome): object | undefined {
  const length = Math.max(together.length, alone.length)
  for (let line = 0; line < length; line++) {
    if (together[line] !== alone[line]) return { line, together: together[line], alone: alone[line] }
  }
  return undefined
}
