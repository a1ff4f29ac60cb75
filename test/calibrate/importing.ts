import { importMailbox } from '../../src/live/import-mailbox.js'
import { folderOf } from '../support/temporary-folder.js'
import type { Instance } from './instance.js'

/** What an import does differently. */
export type ImportChoices = Partial<Parameters<typeof importMailbox>[0]>

/** Imports the mailbox of an instance in process. */
export async function importing(
  { fetch, apiKey }: Pick<Instance, 'fetch' | 'apiKey'>,
  more: ImportChoices = {},
) {
  return importMailbox({
    ...{ baseUrl: 'http://mail.test', apiKey, fetch, rate: 1_000_000, agents: ['support', 'sales'] },
    ...{ wait: async () => undefined, since: undefined, keepPrivate: false, out: await folderOf() },
    ...{ choices: {}, ...more },
  })
}
