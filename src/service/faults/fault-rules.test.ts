import { describe, expect, it } from 'vitest'
import { smallWorld } from '../../../test/support/world/small-world.js'
import type { Fault } from './fault.js'
import type { FaultedRequest } from './fault-rules.js'

const listing: FaultedRequest = {
  operation: 'threads.list',
  method: 'GET',
  path: '/api/v1/mail/threads',
  handle: 'support',
  recipients: [],
}

/** Returns 1 for each of `count` equal requests that a rule hits, and 0 for each other. */
function hitsOf(fault: Fault, count: number, seed = 7): string {
  const world = smallWorld()
  if (seed !== 7) world.restart({ ...world.initialState, seed })
  world.addFault(fault)
  return Array.from({ length: count }, () => (world.faults.hit(listing) ? '1' : '0')).join('')
}

describe('a fault rule', () => {
  it.each<[string, Fault, string]>([
    ['every request', { reset: true }, '111111'],
    ['the first two', { reset: true, times: 2 }, '110000'],
    ['all after the second', { reset: true, after: 2 }, '001111'],
    ['two after the first', { reset: true, after: 1, times: 2 }, '011000'],
    ['every request with a delay before a reset', { reset: true, delay: '1s' }, '111111'],
  ])('hits %s', (_, fault, expected) => {
    expect(hitsOf(fault, 6)).toBe(expected)
  })

  it('hits with its probability, reproducibly for a seed', () => {
    const fault: Fault = { reset: true, probability: 0.3 }
    const hits = hitsOf(fault, 1000)
    expect(hits.replaceAll('0', '').length).toBeGreaterThan(230)
    expect(hits.replaceAll('0', '').length).toBeLessThan(370)
    expect(hitsOf(fault, 1000)).toBe(hits)
    expect(hitsOf(fault, 1000, 8)).not.toBe(hits)
  })

  it.each<[Partial<Fault>, Partial<FaultedRequest>, boolean]>([
    [{ operation: 'threads.list' }, {}, true],
    [{ operation: 'messages.list' }, {}, false],
    [{ method: 'GET' }, {}, true],
    [{ method: 'PATCH' }, {}, false],
    [{ path: '/api/v1/mail/*' }, {}, true],
    [{ path: '/api/v1/mail' }, {}, false],
    [{ path: '*/threads' }, {}, true],
    [{ path: '/api/v1/mail/thread.' }, {}, false],
    [{ handle: 'support' }, {}, true],
    [{ handle: 'sales' }, {}, false],
    [{ handle: 'support' }, { handle: undefined }, false],
    [{ operation: 'threads.list' }, { operation: null }, false],
  ])('with %o matches %o: %s', (which, request, expected) => {
    const world = smallWorld()
    world.addFault({ ...which, reset: true })
    expect(world.faults.hit({ ...listing, ...request }) !== undefined).toBe(expected)
  })

  it('is refused beyond 1000 rules in a world', () => {
    const world = smallWorld()
    for (let count = 0; count < 1_000; count += 1) world.addFault({ status: 503 })
    expect(() => world.addFault({ status: 503 })).toThrow(
      /^A world has at most 1000 fault rules; remove some with DELETE \/_sim\/faults/,
    )
    world.faults.remove('fault_1')
    expect(world.addFault({ status: 503 }).id).toBe('fault_1001')
  })
})
