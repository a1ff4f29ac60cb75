import { rm } from 'node:fs/promises'
import { rolldown } from 'rolldown'
import { loadConfig } from 'rolldown/config'

// What `rolldown -c` does, without a line for each of a hundred files before people see what they started.
await rm('dist', { recursive: true, force: true })
for (const options of [await loadConfig('rolldown.config.ts')].flat()) {
  const bundle = await rolldown({ ...options, logLevel: 'warn' })
  await bundle.write(options.output)
  await bundle.close()
}
