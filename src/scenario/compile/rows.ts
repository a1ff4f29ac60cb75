import { once } from '../../contract/once.js'
import type { z } from '../../contract/schema.js'
import { type ModelName, type Rows, rowSchemas, type Unplaced } from '../../model/index.js'
import { FileError } from '../source/files.js'
import type { Compilation } from './compilation.js'

/** What a file of rows may hold. */
const models = ['identity', 'thread', 'message', 'attachment', 'webhook'] as const

type ImportedModel = (typeof models)[number]

/** Schemas of the lines of a file of rows: rows without what a scenario gives them. */
const lineSchemas = once(() => {
  const schemas = models.map((model) => {
    const schema = rowSchemas[model]() as unknown as z.ZodObject
    const owned = 'organization_id' in schema.shape ? { organization_id: true as const } : {}
    return [model, schema.omit({ ordinal: true, ...owned } as never)] as const
  })
  return new Map<string, z.ZodType>(schemas)
})

/** Problems of one file that are told. */
const mostProblems = 5

/** Adds the rows of a file: JSON, a line each, `{"model": "thread", …}`, in the order of their creation. */
export async function addRows(compilation: Compilation, file: string): Promise<void> {
  const { texts, files } = compilation
  const organization = compilation.id('organization', 'organization')
  let number = 0
  let problems = 0
  try {
    for await (const line of files.lines(file)) {
      number++
      if (line.trim() === '') continue
      const row = readLine(line)
      if (typeof row === 'string') {
        texts.problem(['rows'], `${file}:${number}: ${row}`)
        if (++problems === mostProblems) return
        continue
      }
      const { model, fields } = row
      const owned = model === 'attachment' ? fields : { ...fields, organization_id: organization }
      compilation.add(model, owned as never as Unplaced<Rows[ImportedModel]>)
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    texts.problem(['rows'], error.message)
  }
}

/** The row of a line; what is wrong with it otherwise. */
function readLine(line: string): { readonly model: ImportedModel; readonly fields: object } | string {
  let value: { model?: ModelName }
  try {
    value = JSON.parse(line)
  } catch {
    return 'is not JSON'
  }
  const { model, ...fields } = value ?? {}
  const schema = lineSchemas().get(String(model))
  if (!schema) return `has no model; there is ${models.join(', ')}`
  const parsed = schema.safeParse(fields)
  if (parsed.success) return { model: model as ImportedModel, fields }
  const [issue] = parsed.error.issues
  return `${model}.${issue?.path.join('.')}: ${issue?.message}`
}
