import { once } from './once.js'
import { z } from './schema.js'

/** The URL of a subscription, in the form in which URLs are compared. @see interface 2.4 */
export const webhookUrlSchema = once(() =>
  z.url({
    protocol: /^https?$/,
    normalize: true,
    error: 'expected an http(s) URL',
  }),
)
