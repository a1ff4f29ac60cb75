import { stat } from 'node:fs/promises'

/** Whether there is a folder at a path. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
