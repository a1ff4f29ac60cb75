import { type Gap, gapIds, gaps } from '../../contract/gaps.js'
import { z } from '../../contract/schema.js'
import { profile } from './values.js'

/** The name of a reading as files have it: to YAML, `403` is a number and `null` is no text either. */
const readingName = z
  .union([z.string(), z.number(), z.null()], { error: 'expected the name of a reading' })
  .transform(String)

/** Readings by gap, as files and scenarios name them. */
export const readingChoicesSchema = z
  .record(z.string(), readingName, {
    error: 'expected readings by gap, such as { threads.total: page-size }',
  })
  .meta({
    id: 'readings',
    title: 'Readings',
    description: 'How silent points of the interface are read: for each gap a reading.',
    properties: Object.fromEntries(gapIds.map((id) => [id, offered(gaps[id])])),
    additionalProperties: false,
  })

/** What a scenario is read by: a profile, a file, or readings by gap. */
export const scenarioReadingsSchema = z.union([profile, readingChoicesSchema], {
  error: 'expected a profile, a file, or readings by gap such as { threads.total: page-size }',
})

/** The readings of a gap in JSON Schema, also as YAML has those that it does not take for text: 403, null. */
function offered({ question, readings }: Gap) {
  const names = readings.map(({ name }) => name)
  const unquoted = names.flatMap((name) => (/^(\d+|null)$/.test(name) ? [JSON.parse(name)] : []))
  return { description: question, enum: [...names, ...unquoted], default: names[0] }
}
