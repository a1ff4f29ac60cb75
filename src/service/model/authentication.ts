import { z } from '../../base/schema.js'

const spf = ['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror'] as const
const dkim = ['pass', 'fail', 'neutral', 'none', 'temperror', 'permerror'] as const
const dmarc = ['pass', 'fail', 'none', 'temperror', 'permerror'] as const

const domain = () => z.string().regex(/^[^\s@;()<>"]+$/, 'expected a domain such as shop.example')

const resultFields = () => ({
  spf: z.enum(spf).describe('Whether the sending machine may send for the domain of the envelope.'),
  dkim: z.enum(dkim).describe('Whether a signature of a domain fits the message.'),
  dmarc: z.enum(dmarc).describe('Whether one of both is for the domain of the From.'),
})

const sourceFields = () => ({
  envelope_from: z
    .string()
    .regex(/^([^\s@;()<>"]+@[^\s@;()<>"]+)?$/, 'expected an address, or "" for none')
    .optional()
    .describe('The sender in the envelope, where bounces go; by default the address of the From.'),
  signed_by: domain().optional().describe('The domain whose signature it has; by default that of the From.'),
})

/** Creates the schema of what a receiving server found about who sent a message. @see RFC 8601 */
export const authenticationSchema = () => z.strictObject({ ...resultFields(), ...sourceFields() })

/** What a receiving server found about who sent a message. */
export type Authentication = Readonly<z.output<ReturnType<typeof authenticationSchema>>>

const results = {
  pass: { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
  fail: { spf: 'fail', dkim: 'none', dmarc: 'fail' },
  none: { spf: 'none', dkim: 'none', dmarc: 'none' },
} as const satisfies Readonly<Record<string, Authentication>>

/** Creates the schema of what a story or a test says about it: a word, or the results, of which `none` may be left out. */
export const authenticationInput = () =>
  z.union([
    z.strictObject({ ...z.object(resultFields()).partial().shape, ...sourceFields() }),
    z.enum(Object.keys(results) as (keyof typeof results)[]),
  ])

/** What a story or a test says about who sent a message. */
export type AuthenticationInput = Readonly<z.output<ReturnType<typeof authenticationInput>>>

/** Returns all results of what a story or a test says. */
export function authenticationFrom(input: AuthenticationInput): Authentication {
  if (typeof input === 'string') return results[input]
  const { spf = 'none', dkim = 'none', dmarc = 'none', ...source } = input
  return { spf, dkim, dmarc, ...source }
}
