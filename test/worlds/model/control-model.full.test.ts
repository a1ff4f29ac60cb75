import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstModel, startOffice } from './real.js'
import { refusedSteps } from './refused-steps.js'
import { serviceSteps } from './service-steps.js'
import { setupSteps } from './setup-steps.js'
import { worldSteps } from './world-steps.js'

const anySteps = fc.commands([...worldSteps, ...setupSteps, ...serviceSteps, ...refusedSteps], {
  maxCommands: 40,
  size: 'max',
})

describe('the control API', () => {
  it('does to worlds, whatever comes after whatever, what a plain model of them says', async () => {
    const model = await firstModel()
    const runs: number[] = []
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const server = await startOffice()
        try {
          await fc.asyncModelRun(() => ({ model: structuredClone(model), real: server }), steps)
          runs.push([...steps].length)
        } finally {
          await server.close()
        }
      }),
      { numRuns: 25 },
    )
    // That steps were taken at all.
    expect(runs.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100)
  }, 180_000)
})
