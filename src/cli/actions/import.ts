import { join } from 'node:path'
import { invocation } from '../../base/package.js'
import { counted } from '../../base/text.js'
import { importMailbox } from '../../live/import/import-mailbox.js'
import { prepareFile } from '../../runs/reports/write-file.js'
import { interruptible } from '../failure.js'
import type { FlagsOf } from '../flag-command.js'
import { layersOfFlags } from '../flags.js'
import type { addImport } from '../import.js'
import { explained } from '../report-output.js'
import { Progress } from '../terminal.js'
import { apiKeyFrom, assumptionsOfLayers, keyHider, withHidden } from './live-service.js'

type ImportFlags = FlagsOf<typeof addImport>

/** Imports the mailboxes of a live service as a scenario. */
export async function runImport(flags: ImportFlags): Promise<void> {
  const { baseUrl, rate, out, since, keepPrivate = false, agent: agents } = flags
  const apiKey = apiKeyFrom(flags.apiKeyEnv)
  const { assumptions, choices } = await assumptionsOfLayers(layersOfFlags(flags))
  await explained(out, () => prepareFile(join(out, 'scenario.yaml')))
  const progress = new Progress()
  const hide = keyHider(apiKey)
  await interruptible(async ({ signal }) => {
    const importing = () =>
      importMailbox({
        ...{ baseUrl, apiKey, rate, out, since, keepPrivate, agents, assumptions, choices, signal },
        onProgress: (sentence) => progress.show(hide(sentence)),
      })
    const { scenario, counts, notes } = await withHidden(hide, importing).finally(() => progress.show(''))
    for (const note of notes) progress.print(hide(`note: ${note}`))
    const parts = Object.entries(counts).map(([name, count]) => counted(count, name.replace(/s$/, '')))
    process.stdout.write(`${scenario}: ${parts.join(', ')}.\n${invocation} serve ${scenario} serves it.\n`)
  })
}
