import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findLine, startProcess } from '../cli/program.js'
import { freePort, mustRun, storeProgram } from '../state/programs.js'

/** A place where a server keeps its worlds. */
export interface Store {
  readonly name: string
  /** Whether its worlds outlive a server. */
  readonly durable: boolean
  /** Why no case can use it on this machine. */
  readonly missing?: string
  /** Returns the flags of the server of a case. */
  flags(folder: string, number: number): Promise<readonly string[]>
}

let valkey: Promise<string> | undefined

export const memory: Store = { name: 'memory', durable: false, flags: async () => [] }

export const stores: readonly Store[] = [
  memory,
  { name: 'disk', durable: true, flags: async (folder) => ['--state', join(folder, 'state')] },
  {
    name: 'Redis',
    durable: true,
    ...(storeProgram === undefined && !mustRun && { missing: 'test/state/install.sh installs it' }),
    async flags(folder, number) {
      valkey ??= startValkey(join(folder, '../valkey'))
      return ['--state', `${await valkey}/${number}`]
    },
  },
]

/** Starts one store for all cases, each of which has its own database in it. */
async function startValkey(folder: string): Promise<string> {
  await mkdir(folder)
  const port = await freePort()
  const flags = `--port ${port} --databases 200 --appendonly yes --appendfsync always`.split(' ')
  const store = startProcess([storeProgram as string, ...flags, '--dir', folder, '--save', ''])
  await findLine(store, /ready to accept connections/i)
  return `redis://127.0.0.1:${port}`
}
