import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { z } from '../../src/contract/schema.js'
import { readTape, usuallyVolatile } from '../../src/replay/tapes/tape.js'
import { useFolder } from '../cli/temporary-folder.js'
import { reportSchema } from './report-schema.js'

const text = readFileSync(new URL('../../docs/replay.md', import.meta.url), 'utf8')

/** The names in the first cells of the table that follows a title. */
function namesUnder(title: string): string[] {
  const [, table = ''] = new RegExp(`${title}\n.*?\n\\|---[^\n]*\n(.*?)\n\n`, 's').exec(text) ?? []
  return table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

const keysOf = (schema: z.ZodType): string[] => Object.keys((schema as z.ZodObject).shape)

describe('docs/replay.md', () => {
  it('shows a report that has the format', () => {
    const [, json = ''] = /```json\n(.*?)```/s.exec(text) ?? []
    expect(reportSchema.safeParse(JSON.parse(json)).error).toBeUndefined()
  })

  it('describes every field of the report', () => {
    const { shape } = reportSchema
    expect(namesUnder('## The report as JSON')).toEqual(keysOf(reportSchema))
    expect(namesUnder('### A verdict')).toEqual(keysOf(shape.verdicts.element))
    expect(namesUnder('### The command')).toEqual(keysOf(shape.command.unwrap()))
  })

  it('shows a valid tape', async () => {
    const path = await useFolder()
    const [, tape = ''] = /```jsonl\n(.*?)```/s.exec(text) ?? []
    await writeFile(path('a.tape'), tape)
    expect(readTape(path('a.tape')).requests).toHaveLength(2)
    for (const name of ['query._', 'body.nonce', 'body.timestamp', 'body.request_id']) {
      expect(usuallyVolatile).toContain(name)
    }
  })
})
