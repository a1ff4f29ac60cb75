import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSimulator, type Simulator } from '../../src/index.js'
import { everything, happenings, play, smallOffice, type WorldEvent } from './story.js'

/** A story in which things also happen by themselves. */
const office = {
  ...smallOffice,
  timeline: [
    { after: '3h', receive: { to: 'eva', subject: 'Later', text: 'Here I am.' } },
    { after: '6h', update: { identity: 'tom', display_name: 'Tom again' } },
    { after: '12h', repeat: { times: 20, every: '2h' }, receive: { to: 'tom', text: 'Another one.' } },
  ],
}

const open = () => createSimulator({ scenario: office, readings: { 'messages.limit-maximum': 'none' } })

const through = (simulator: Simulator): unknown => JSON.parse(JSON.stringify(simulator.snapshot()))

describe('a snapshot', () => {
  it('restores what the service shows, here and in another simulator', async () => {
    const [simulator, other] = [await open(), await open()]
    await fc.assert(
      fc.asyncProperty(happenings, happenings, async (story, otherStory) => {
        const world = simulator.fork()
        await play(world, story)
        await play(other, otherStory)
        const { bytes } = await everything(world)
        for (const restored of [simulator.fork(), other]) {
          restored.restore(through(world))
          expect((await everything(restored)).bytes).toBe(bytes)
          expect(restored.digest()).toBe(world.digest())
          expect(restored.summary()).toEqual(world.summary())
        }
      }),
      { numRuns: 25 },
    )
  })

  it('has the same things happen afterwards, with the same ids', async () => {
    const [simulator, other] = [await open(), await open()]
    await fc.assert(
      fc.asyncProperty(happenings, happenings, async (before, after) => {
        const world = simulator.fork()
        await play(world, before)
        other.restore(through(world))
        for (const happening of [...after, { what: 'wait', minutes: 400 } satisfies WorldEvent]) {
          await play(world, [happening])
          await play(other, [happening])
          expect((await everything(other)).bytes).toBe((await everything(world)).bytes)
          expect(other.digest()).toBe(world.digest())
        }
        expect(through(other)).toEqual(through(world))
        world.close()
      }),
      { numRuns: 25 },
    )
  })

  it('of a simulator is restored in one whose readings others chose', async () => {
    const simulator = await createSimulator({ scenario: office, readings: 'worst-case' })
    const other = await open()
    await simulator.mail.receive({ to: 'eva', text: 'Hello' })
    other.restore(through(simulator))
    expect(other.digest()).toBe(simulator.digest())
    expect(other.readings.current()).toEqual(simulator.readings.current())
    other.reset()
    expect(other.readings.origins()['messages.limit-maximum']).toBe('options')
  })
})
