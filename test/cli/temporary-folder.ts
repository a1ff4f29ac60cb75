import { join } from 'node:path'
import { folderOf } from '../support/temporary-folder.js'

/** Makes a folder that is gone after the test; returns a function that makes paths in it. */
export async function useFolder(): Promise<(...names: string[]) => string> {
  const folder = await folderOf()
  return (...names) => join(folder, ...names)
}
