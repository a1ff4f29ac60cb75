import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '../../base/json.js'
import { StateError } from '../../service/model/errors.js'

/** Marks a folder as used by this process. */
export class FolderLock {
  readonly #folder: string
  readonly #path: string
  #mark: string | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#path = join(folder, 'lock')
  }

  /** Takes the folder, also from a process that has ended. @throws StateError `in-use`, an error of the file system */
  async take(): Promise<void> {
    const { pid } = process
    const mark = JSON.stringify({ pid, started: await startOf(pid) })
    for (;;) {
      const error = await writeFile(this.#path, mark, { flag: 'wx', mode: 0o600 }).catch(
        (failure: NodeJS.ErrnoException) => failure,
      )
      if (!error) break
      if (error.code !== 'EEXIST') throw error
      const holder = parseJson(await readFile(this.#path, 'utf8')) as { pid: number; started: string } | null
      if (holder && (await startOf(holder.pid)) === holder.started) {
        const problem = `${this.#folder} is in use by process ${holder.pid}`
        throw new StateError('in-use', `${problem}; only one process can use it at a time.`)
      }
      await rm(this.#path, { force: true })
    }
    this.#mark = mark
  }

  /** Resolves if this process still has it: another one, in another container, cannot see that this one runs. @throws StateError `moved` */
  async confirm(): Promise<void> {
    const mark = await readFile(this.#path, 'utf8').catch(() => undefined)
    if (mark === this.#mark) return
    throw new StateError('moved', `${this.#folder} has been taken over by another process.`, 1)
  }

  async release(): Promise<void> {
    if (this.#mark === undefined) return
    if ((await readFile(this.#path, 'utf8').catch(() => '')) === this.#mark)
      await rm(this.#path, { force: true })
    this.#mark = undefined
  }
}

/**
 * Returns when a process began, as its system counts, since a restarted container has the same numbers of processes again;
 * '' where only its number is known, and undefined if it has ended.
 */
async function startOf(pid: number): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // After the name, which may contain spaces.
  const [state, ...fields] = status?.slice(status.lastIndexOf(')') + 2).split(' ') ?? []
  if (state !== undefined) return state === 'Z' ? undefined : fields[18]
  try {
    process.kill(pid, 0)
    return ''
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? '' : undefined
  }
}
