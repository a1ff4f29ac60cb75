import { z } from '../../contract/schema.js'
import { isAddress } from '../../mail/index.js'
import { handlePattern, parseDuration, parseInstant } from '../../world/index.js'
import { locales } from '../wording/locale-names.js'

/** Where a time is wanted: a duration before or after the start, or an instant. */
export const moment = z
  .string()
  .refine((text) => parseDuration(text) !== undefined || parseInstant(text) !== undefined, {
    error: 'expected a time such as -2d, -3h30m or 2026-01-05T09:00:00Z',
  })

/** An instant with its zone, or a day. */
export const instant = z.string().refine((text) => parseInstant(text) !== undefined, {
  error: 'expected an ISO 8601 instant such as 2026-01-05T09:00:00Z',
})

/** A length of time above zero. */
export const duration = z.string().refine((text) => (parseDuration(text) ?? -1) > 0, {
  error: 'expected a duration such as 90d, 12h or 30s',
})

/** A length of time, or none. */
export const delay = z.string().refine((text) => (parseDuration(text) ?? -1) >= 0, {
  error: 'expected a duration such as 30s, 5m or 1h30m',
})

/** Text in which Faker's templates are filled in. */
export const template = z.string()

/** A name by which other parts of the file speak of something. */
export const key = z.string().regex(/^\S(.*\S)?$/, 'expected a name without spaces around it')

/** An agent's handle. @see interface 2.1 */
export const handle = z.string().regex(handlePattern, 'expected 1 to 64 letters, digits, "_", "." or "-"')

/** A bare email address. */
export const address = z.string().refine(isAddress, { error: 'expected an email address' })

/** A bare email address, or many of them: `*` stands for any characters. */
export const addressPattern = z.string().refine(isAddress, {
  error: 'expected an address, or a pattern of addresses such as *@invalid.example',
})

/** A path, relative to the scenario's file. */
export const path = z.string().min(1)

/** The language of names and of generated mail. */
export const locale = z.enum(locales)

/** One of them, or a list of at least one. */
export const oneOrMore = <Item extends z.ZodType>(item: Item) => z.union([item, z.array(item).min(1)])
