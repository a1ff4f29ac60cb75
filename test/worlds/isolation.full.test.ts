import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { firstDifference, play } from './play.js'
import { type House, houses, roomOfItsOwn } from './rooms.js'
import { script } from './script.js'

const open: House[] = []
afterEach(async () => {
  for (const house of open.splice(0)) await house.close()
})

describe.each(Object.entries(houses))('a hundred worlds of one simulator %s', (_, openHouse) => {
  it('become with two hundred clients at once what each becomes alone, answer by answer', async () => {
    const { seed = Date.now() % 2 ** 31 } = fc.readConfigureGlobal()
    // No property to be shrunk: with fewer worlds there would be less for them to meet in.
    const scripts = fc.sample(script, { numRuns: 100, seed })
    const house = await openHouse()
    open.push(house)
    const before = house.simulator.digest()
    const together = await Promise.all(
      scripts.map(async (one) => {
        await passBy(house)
        return play(await house.room(one.seed), one)
      }),
    )
    for (const [at, outcome] of together.entries()) {
      const one = scripts[at] as (typeof scripts)[number]
      const alone = await play(await roomOfItsOwn(one.seed), one)
      expect(firstDifference(outcome, alone), `world ${at} of seed ${seed}`).toBeUndefined()
    }
    expect(house.simulator.digest()).toBe(before)
    expect(house.simulator.journal.exchanges()).toEqual([])
  }, 120_000)
})

/** A world that comes and goes among the others. */
async function passBy({ simulator }: House): Promise<void> {
  const world = simulator.fork()
  await world.mail.receive({ to: 'eva', text: 'Passing by' })
  world.faults.add({ handle: 'tom', reset: true })
  await world.clock.advance('4h')
  world.close()
}
