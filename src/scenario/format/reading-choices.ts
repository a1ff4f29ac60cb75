import { z } from '../../contract/schema.js'

/** The name of a reading as files have it: to YAML, `403` is a number and `null` is no text either. */
const readingName = z
  .union([z.string(), z.number(), z.null()], { error: 'expected the name of a reading' })
  .transform(String)

/** Readings by gap, as files and scenarios name them. */
export const readingChoicesSchema = z.record(z.string(), readingName, {
  error: 'expected readings by gap, such as { threads.total: page-size }',
})

/** What a scenario is read by: a profile, a file, or readings by gap. */
export const scenarioReadingsSchema = z.union([z.string(), readingChoicesSchema], {
  error: 'expected a profile, a file, or readings by gap such as { threads.total: page-size }',
})
