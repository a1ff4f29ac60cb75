import { type Path, quoted } from '../../base/mistake.js'
import { z } from '../../base/schema.js'
import { wildcard } from '../../base/text.js'
import { isAddress, parseMailbox, sameAddress } from '../../mail/address.js'
import { noIdentity } from '../read/problem.js'
import type { StoryNames } from './kind.js'
import { type AsymmetricMatcher, type Match, match } from './match.js'

/**
 * An address, in which `*` matches any characters, with or without a display name; the handle of an agent; or
 * a matcher of addresses.
 */
export type AddressMatch = string | RegExp | AsymmetricMatcher

/** A recipient as a scenario names it. */
export const recipient = z
  .string()
  .min(1)
  .meta({
    title: 'recipient',
    description: 'An address, in which `*` matches any characters, or the handle of an agent.',
    examples: ['ann@example.com', '*@northwind.example', 'support'],
  })

/** Returns the bare address, or the pattern of addresses, of a recipient. */
export function addressOf(lookups: Pick<StoryNames, 'names' | 'problem'>, one: string, path: Path): string {
  const { names } = lookups
  const address = names.agent(one)?.address ?? parseMailbox(one)?.address ?? one
  if (!isAddress(address) && address !== '*') {
    lookups.problem(path, () => {
      return one.includes('@')
        ? `${quoted(one)} is not an address; expected one such as ann@example.com or *@example.com`
        : noIdentity(one, names.handles)
    })
  }
  return address
}

/** Returns whether an address is an expected one. */
export function fitsAddress(expected: Match, found: string): boolean {
  if (typeof expected !== 'string') return match(expected, found, 'to').length === 0
  const address = parseMailbox(expected)?.address ?? expected
  return address.includes('*')
    ? wildcard(address.toLowerCase())(found.toLowerCase())
    : sameAddress(address, found)
}
