import { fileSystem } from './file-system.js'

/**
 * Creates a folder and those that it is in. Node's own option for it never ends where folders cannot be created but seem to
 * be missing, as below /proc.
 * @throws Error of the file system
 */
export async function createFolder(path: string, mode = 0o777): Promise<void> {
  const system = fileSystem()
  if (!system) throw new Error('There are no files here.')
  const { mkdir, stat } = system.fs.promises
  const create = async (folder: string): Promise<void> => {
    try {
      await mkdir(folder, mode)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const parent = system.path.dirname(folder)
      const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() ?? false
      if (isFolder) return
      const isInFolder = (await stat(parent).catch(() => undefined))?.isDirectory() ?? false
      if (code !== 'ENOENT' || parent === folder || isInFolder) throw error
      await create(parent)
      await mkdir(folder, mode)
    }
  }
  await create(path && system.path.resolve(path))
}
