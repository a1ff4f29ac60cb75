import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedFolder } from '../support/temporary-folder.js'

const files = {
  'mine.yaml': 'extends: worst-case\nassume:\n  auth.missing-status: 401\n',
  'typo.yaml': 'assume:\n  threads.totl: page-size\n',
  'story.yaml':
    'scenario: story\nassume: { threads.total: all-threads, threads.order: created-asc, auth.keys: listed-keys }\n',
}

/** Writes files of assumptions and a scenario for the tests of a file; returns the path of each. */
export function useAssumptionsFiles(): (name: string) => string {
  const folder = sharedFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return (name) => join(folder, name)
}
