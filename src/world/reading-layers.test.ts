import { describe, expect, it } from 'vitest'
import { defaultReadings, gapIds } from '../contract/gaps.js'
import { chooseReadings } from './reading-layers.js'
import { profileReadings } from './readings.js'

describe('chooseReadings', () => {
  it('starts from the default and lets the later layer count for more', () => {
    expect(chooseReadings([]).readings).toEqual(defaultReadings)
    expect(chooseReadings([{ from: 'scenario', input: undefined }]).readings).toEqual(defaultReadings)
    const { readings } = chooseReadings([
      { from: 'scenario', input: { 'threads.total': 'page-size' } },
      { from: 'MAILBOX_SIM_READINGS', input: 'worst-case' },
      { from: '--reading', input: { 'threads.order': 'created-asc' } },
      { from: '--reading', input: { 'threads.order': 'created-desc' } },
    ])
    expect(readings).toEqual({ ...profileReadings('worst-case'), 'threads.order': 'created-desc' })
  })

  it('tells who chose each reading', () => {
    const { origins } = chooseReadings([
      { from: 'scenario', input: { 'threads.total': 'page-size', 'threads.order': 'created-asc' } },
      { from: '--reading', input: { 'threads.order': 'created-desc' } },
    ])
    expect(origins['threads.total']).toBe('scenario')
    expect(origins['threads.order']).toBe('--reading')
    expect(origins['messages.order']).toBe('default')
    const { origins: profiled } = chooseReadings([{ from: '--readings', input: 'worst-case' }])
    expect(new Set(gapIds.map((gap) => profiled[gap]))).toEqual(new Set(['--readings: worst-case']))
  })
})
