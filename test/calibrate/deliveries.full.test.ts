import { expect, it } from 'vitest'
import { gapIds } from '../../src/contract/gaps.js'
import { hear } from './hear.js'
import { seedsToTry } from './instance.js'

const byDeliveries = gapIds.filter((gap) => gap.startsWith('events.'))

/** Gaps whose readings are equal without retries. */
function equalWithoutRetries(truth: Readonly<Record<string, string>>): string[] {
  if (truth['events.retries'] !== 'none') return []
  const isOnce = truth['events.duplicates'] === 'exactly-once'
  return ['events.retry-after', 'events.gone', ...(isOnce ? ['events.success'] : [])]
}

it('learns everything deliveries reveal under any readings', { timeout: 600_000 }, async () => {
  const seeds = Array.from({ length: seedsToTry(6) }, (_, seed) => `seed:${seed}`)
  const listen = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const { candidates, misfits, truth } = await hear(seed)
      expect(misfits, seed).toEqual([])
      for (const gap of byDeliveries) expect(candidates[gap], `${seed}: ${gap}`).toContain(truth[gap])
      const missing = byDeliveries.filter((gap) => candidates[gap].length > 1)
      expect(missing, seed).toEqual(equalWithoutRetries(truth))
    }
  }
  // A receiver that is held takes its time.
  await Promise.all(Array.from({ length: 6 }, listen))
})
