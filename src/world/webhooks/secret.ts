import { toBase64 } from '../../mail/index.js'
import { hashText } from '../random.js'

/**
 * The secret that deliveries of a subscription are signed with: `whsec_` and 24 bytes in base64, the same for the same
 * seed and subscription.
 */
export function secretOf(seed: number, webhookId: string): string {
  const words = ['a', 'b'].flatMap((half) => hashText(`secret ${half} ${webhookId}`, seed)).slice(0, 6)
  const bytes = words.flatMap((word) => [0, 8, 16, 24].map((shift) => (word >>> shift) & 255))
  return `whsec_${toBase64(Uint8Array.from(bytes))}`
}
