import { afterEach, describe, expect, it, vi } from 'vitest'
import { defaultReadings } from '../../contract/gaps.js'
import { profileReadings } from '../../service/readings/readings.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { createSimulator } from './create-simulator.js'
import type { RequestedReadings } from './options.js'
import { chosenReadings } from './scenario-loader.js'

const scenario: ScenarioInput = {
  scenario: 'desk',
  readings: { 'threads.total': 'page-size', 'threads.order': 'created-asc' },
}
const refusal = (wanted: RequestedReadings, of: ScenarioInput = scenario) =>
  chosenReadings(of, wanted).then(
    () => 'accepted',
    ({ name, message }: Error) => `${name} ${message}`,
  )

afterEach(() => vi.unstubAllEnvs())

describe('chosenReadings', () => {
  it('ignores an empty environment variable', async () => {
    vi.stubEnv('MAILBOX_SIM_READINGS', '')
    const { readings } = await chosenReadings({ scenario: 'desk' }, undefined)
    expect(readings).toEqual(defaultReadings)
  })

  it('returns the readings a simulator starts with', async () => {
    vi.stubEnv('MAILBOX_SIM_READINGS', 'seed:3')
    const wanted = [{ 'threads.total': 'all-threads' }, 'limits.rate=none'] as const
    const { readings } = await createSimulator({ scenario, readings: wanted })
    const chosen = await chosenReadings(scenario, wanted)
    expect(chosen).toMatchObject({ readings: readings.current(), origins: readings.origins() })
    expect(chosen.readings).toEqual({
      ...profileReadings('seed:3'),
      'threads.total': 'all-threads',
      'limits.rate': 'none',
    })
  })

  it('names the source of a wrong reading', async () => {
    expect(await refusal([{ from: '--readings', input: 'threads.totl=x' }])).toBe(
      'ReadingError --readings: There is no gap "threads.totl"; did you mean "threads.total"?',
    )
    expect(await refusal({ 'threads.total': 'most' as never })).toMatch(
      /^ReadingError options: "most" is not a reading/,
    )
    expect(await refusal(undefined, { scenario: 'desk', readings: 'worst' })).toMatch(
      /^ScenarioError desk: readings: There is no profile "worst"/,
    )
    vi.stubEnv('MAILBOX_SIM_READINGS', 'wors')
    expect(await refusal('default')).toMatch(/^ReadingError MAILBOX_SIM_READINGS: There is no profile "wors"/)
  })

  it('accepts a reading that YAML parses as a number or null', async () => {
    const { readings } = await chosenReadings(
      { scenario: 'desk', readings: { 'auth.missing-status': 403, 'identities.patch-null': null } },
      undefined,
    )
    expect(readings).toMatchObject({ 'auth.missing-status': '403', 'identities.patch-null': 'null' })
    expect(
      await refusal(undefined, { scenario: 'desk', readings: { 'threads.total': true as never } }),
    ).toMatch(/readings.*: expected /)
  })
})
