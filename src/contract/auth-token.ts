import { once } from './once.js'
import { z } from './schema.js'

/** The token of a subscription: what the header of a delivery can carry. @see interface 2.4 */
export const authTokenSchema = once(() =>
  z.string().regex(/^[!-~]+$/, {
    error: 'expected letters, digits and signs of ASCII, without spaces: a header carries it',
  }),
)
