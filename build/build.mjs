import { rm } from 'node:fs/promises'
import { build } from 'rolldown'
import { loadConfig } from 'rolldown/config'

// What `rolldown -c` does, without a line for each of a hundred files before people see what they started.
await rm('dist', { recursive: true, force: true })
await build(await loadConfig('rolldown.config.ts'))
