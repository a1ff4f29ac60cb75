import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

const files = {
  'mine.yaml': 'extends: worst-case\nreadings:\n  auth.missing-status: 401\n',
  'typo.yaml': 'readings:\n  threads.totl: page-size\n',
  'story.yaml':
    'scenario: story\nreadings: { threads.total: all-threads, threads.order: created-asc, auth.keys: listed-keys }\n',
}

/** Writes files of readings, and a scenario with some, for the tests of one file; gives the path of each. */
export function useReadingsFiles(): (name: string) => string {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'readings-'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  })
  afterAll(() => rm(folder, { recursive: true }))
  return (name) => join(folder, name)
}
