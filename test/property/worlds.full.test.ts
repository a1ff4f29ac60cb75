import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSimulator, gaps, type Message, type Thread } from '../../src/index.js'
import { everything, happenings, play, request, smallOffice } from './story.js'

const open = () => createSimulator({ scenario: smallOffice, readings: { 'messages.limit-maximum': 'none' } })

describe('a mailbox after any story', () => {
  it('shows each thread exactly once, page by page, at any limit and in any order', async () => {
    const simulator = await open()
    const orders = gaps['threads.order'].readings.map(({ name }) => name)
    await fc.assert(
      fc.asyncProperty(
        happenings,
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom(...orders),
        async (story, limit, order) => {
          const world = simulator.fork()
          await play(world, story)
          world.readings.set({ 'threads.order': order })
          const seen: string[] = []
          for (let offset = 0, total = 1; offset < total; offset += limit) {
            const page = JSON.parse(
              await request(world, 'GET', `/mail/threads?limit=${limit}&offset=${offset}`),
            )
            seen.push(...page.threads.map(({ id }: Thread) => id))
            total = page.total
          }
          const all = (await everything(world)).threads.map(({ id }) => id)
          expect(seen).toEqual(all)
          expect(new Set(seen).size).toBe(seen.length)
          world.close()
        },
      ),
      { numRuns: 60 },
    )
  })

  it('agrees with what its messages say', async () => {
    const simulator = await open()
    await fc.assert(
      fc.asyncProperty(happenings, async (story) => {
        const world = simulator.fork()
        world.readings.set({ 'messages.limit-maximum': 'none' })
        await play(world, story)
        const { threads, messages } = await everything(world)
        expect(threads.map(({ id }) => id)).toEqual(newestFirst(threads, messages.eva.concat(messages.tom)))
        for (const thread of threads) expectToFollow(thread, messages.eva.concat(messages.tom))
        for (const agent of ['eva', 'tom'] as const) {
          const page = JSON.parse(await request(world, 'GET', `/mail/threads?agent=${agent}&limit=1`))
          expect(page.total).toBe(new Set(messages[agent].map(({ thread_id }) => thread_id)).size)
        }
        world.close()
      }),
      { numRuns: 60 },
    )
  })

  it('is byte-equal to its beginning after a reset', async () => {
    const simulator = await open()
    const { bytes } = await everything(simulator)
    await fc.assert(
      fc.asyncProperty(happenings, async (story) => {
        await play(simulator, story)
        simulator.reset()
        expect((await everything(simulator)).bytes).toBe(bytes)
      }),
      { numRuns: 60 },
    )
  })
})

/** Ids by last message, newest first; of equal times, the thread created later comes first. */
function newestFirst(threads: readonly Thread[], messages: readonly Message[]): string[] {
  const latest = (thread: Thread) => Math.max(...timesOf(thread, messages))
  const sorted = threads.toSorted((a, b) => latest(b) - latest(a))
  return sorted.map(({ id }) => id)
}

function timesOf({ id }: Thread, messages: readonly Message[]): number[] {
  return messages.filter(({ thread_id }) => thread_id === id).map(({ created_at }) => Date.parse(created_at))
}

function expectToFollow(thread: Thread, messages: readonly Message[]): void {
  const times = timesOf(thread, messages)
  expect(thread.message_count).toBe(times.length)
  expect(Date.parse(thread.last_message_at)).toBe(Math.max(...times))
}
