import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyStory, storyBeginning, storyWorlds, take } from '../../../test/support/world/any-story.js'
import { document } from '../../../test/support/world/changed-world.js'
import { everyRow } from '../../../test/support/world/small-world.js'
import { digestOf } from '../digest.js'
import { ClockError, CommandError, FaultError, SnapshotError } from '../errors.js'
import type { World } from '../world.js'

const initialState = storyBeginning()

/** Returns every place of a document as the keys that lead to it. */
function placesIn(value: unknown, keys: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...keys]]
  const inner = Object.entries(value).flatMap(([key, held]) => placesIn(held, [...keys, key]))
  return [[...keys], ...inner]
}

const places = placesIn(JSON.parse(document)).filter((keys) => keys.length > 0)
const values = places.map((keys) => valueAt(JSON.parse(document), keys))

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((inner, key) => (inner as Record<string, unknown>)[key], value)
}

interface Change {
  readonly place: readonly string[]
  readonly how: 'replace' | 'remove' | 'add'
  readonly value: unknown
}

/** Any place with another value, mostly one from elsewhere in the document. */
const anyChange: fc.Arbitrary<Change> = fc.record({
  place: fc.constantFrom(...places),
  how: fc.constantFrom('replace' as const, 'replace' as const, 'remove' as const, 'add' as const),
  value: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...values) },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.integer() },
  ),
})

function make(changed: unknown, { place, how, value }: Change): void {
  const holder = valueAt(changed, place.slice(0, -1)) as Record<string, unknown>
  const key = place.at(-1) as string
  const copy = JSON.parse(JSON.stringify(value))
  if (how === 'replace') holder[key] = copy
  else if (Array.isArray(holder))
    holder.splice(Number(key), how === 'remove' ? 1 : 0, ...(how === 'add' ? [copy] : []))
  else if (how === 'remove') delete holder[key]
}

/** The errors of a step that are allowed in a consistent world. */
const refusals = [CommandError, FaultError, ClockError, RangeError].map(({ name }) => name)

describe('a snapshot with any change', () => {
  it('is refused without effect, or gives a working world', async () => {
    await fc.assert(
      fc.asyncProperty(anyChange, anyStory, async (change, story) => {
        const [world] = storyWorlds(1, initialState) as [World]
        const changed = JSON.parse(document)
        make(changed, change)
        const before = [JSON.stringify(world.snapshot()), everyRow(world)]
        try {
          world.restore(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(SnapshotError)
          expect([JSON.stringify(world.snapshot()), everyRow(world)]).toEqual(before)
          return
        }
        for (const step of story) {
          const outcome = await take(world, step)
          const [name] = outcome.split(':')
          if (/^\w*Error$/.test(name ?? '')) expect(refusals).toContain(name)
        }
        const [other] = storyWorlds(1, initialState) as [World]
        other.restore(world.snapshot())
        expect(digestOf(other)).toBe(digestOf(world))
      }),
      { numRuns: 150 },
    )
  })
})
