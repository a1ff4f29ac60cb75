import { afterEach, describe, expect, it, vi } from 'vitest'
import { defaultAssumptions } from '../../contract/gaps.js'
import { profileAssumptions } from '../../service/assumptions/assumptions.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { createSimulator } from './create-simulator.js'
import type { RequestedAssumptions } from './options.js'
import { chosenAssumptions } from './scenario-loader.js'

const scenario: ScenarioInput = {
  scenario: 'desk',
  assume: { 'threads.total': 'page-size', 'threads.order': 'created-asc' },
}
const refusal = (wanted: RequestedAssumptions, of: ScenarioInput = scenario) =>
  chosenAssumptions(of, wanted).then(
    () => 'accepted',
    ({ name, message }: Error) => `${name} ${message}`,
  )

afterEach(() => vi.unstubAllEnvs())

describe('chosenAssumptions', () => {
  it('ignores an empty environment variable', async () => {
    vi.stubEnv('MAILBOX_SIM_ASSUME', '')
    const { assumptions } = await chosenAssumptions({ scenario: 'desk' }, undefined)
    expect(assumptions).toEqual(defaultAssumptions)
  })

  it('returns the assumptions a simulator starts with', async () => {
    vi.stubEnv('MAILBOX_SIM_ASSUME', 'seed:3')
    const wanted = [{ 'threads.total': 'all-threads' }, 'limits.rate=none'] as const
    const { assumptions } = await createSimulator({ scenario, assume: wanted })
    const chosen = await chosenAssumptions(scenario, wanted)
    expect(chosen).toMatchObject({ assumptions: assumptions.current(), origins: assumptions.origins() })
    expect(chosen.assumptions).toEqual({
      ...profileAssumptions('seed:3'),
      'threads.total': 'all-threads',
      'limits.rate': 'none',
    })
  })

  it('names the source of a wrong assumption', async () => {
    expect(await refusal([{ from: '--assume', input: 'threads.totl=x' }])).toBe(
      'WorldError --assume: There is no gap "threads.totl"; did you mean "threads.total"?',
    )
    expect(await refusal({ 'threads.total': 'most' as never })).toMatch(
      /^WorldError options: "most" is not an assumption/,
    )
    expect(await refusal(undefined, { scenario: 'desk', assume: 'worst' })).toMatch(
      /^ScenarioError desk: assume: There is no profile "worst"/,
    )
    vi.stubEnv('MAILBOX_SIM_ASSUME', 'wors')
    expect(await refusal('default')).toMatch(/^WorldError MAILBOX_SIM_ASSUME: There is no profile "wors"/)
  })

  it('accepts an assumption that YAML parses as a number or null', async () => {
    const { assumptions } = await chosenAssumptions(
      { scenario: 'desk', assume: { 'auth.missing-status': 403, 'identities.patch-null': null } },
      undefined,
    )
    expect(assumptions).toMatchObject({ 'auth.missing-status': '403', 'identities.patch-null': 'null' })
    expect(
      await refusal(undefined, { scenario: 'desk', assume: { 'threads.total': true as never } }),
    ).toMatch(/assume.*: expected /)
  })
})
