import { expect, it, vi } from 'vitest'
import { careful, type Reads, readers, searchReader } from './form-readers.js'

vi.setConfig({ testTimeout: 600_000 })

/** Few by default; `FUZZ_SEEDS=10` measures more. */
const seeds = Array.from({ length: Number(process.env['FUZZ_SEEDS'] ?? 1) }, (_, index) => index + 1)

it.each([
  ['blind to HTML', ['forms'] as const],
  ['first text wins', ['forms'] as const],
  ['quoted text as new', ['forms'] as const],
  ['only mail to its exact address', ['forms'] as const],
])('finds a client within 60 plans of every seed: %s, with --vary %j', async (name, kinds) => {
  const after: (number | undefined)[] = []
  for (const seed of seeds) {
    const { findings } = await searchReader(readers[name] as Reads, seed, 60, kinds)
    after.push(findings.find(({ elements }) => elements.some(({ vary }) => vary === 'forms'))?.foundAfterRuns)
  }
  expect(after).not.toContain(undefined)
})

it.each([[undefined], [['forms'] as const]])(
  'blames no careful client in 100 plans, with --vary %j',
  async (kinds) => {
    const { findings, flaky } = await searchReader(careful, 11, 100, kinds)
    expect({ findings, flaky }).toEqual({ findings: [], flaky: [] })
  },
)
