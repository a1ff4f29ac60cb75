import { z } from '../../contract/schema.js'
import { isProfileName, parseChoice, profileReadings, type ReadingChoices } from '../../world/index.js'

/** Readings by gap. */
export const readingChoices = z
  .custom<ReadingChoices>(isObject, {
    error: 'expected a JSON object of readings by gap, such as {"threads.total": "page-size"}',
  })
  // Every own key counts, `__proto__` too, which a record would pass over.
  .superRefine((given, context) => {
    for (const [gap, reading] of Object.entries(given)) {
      if (typeof reading === 'string') continue
      const message = `the reading of "${gap}" must be a string, such as "page-size" or "401"`
      context.addIssue({ code: 'custom', message })
    }
  })
  .meta({ type: 'object', additionalProperties: { type: 'string' }, description: 'Readings by gap.' })

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A profile, or `gap=reading,…`: never a file, as the same text may be elsewhere. @throws ReadingError */
export const readingsByName = z.string().transform((text): string | ReadingChoices => {
  if (isProfileName(text)) return text
  const choices = text.includes('=') ? text.split(',').map(parseChoice) : [profileReadings(text)]
  return Object.assign({}, ...choices)
})
