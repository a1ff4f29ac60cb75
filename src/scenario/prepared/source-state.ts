import { hashText } from '../../world/index.js'

/** What tells whether a file or a folder is still what it was: a hash of its bytes, or of the names in it. */
export async function stateOf(source: URL): Promise<string> {
  const { readdir, readFile, stat } = await import('node:fs/promises')
  try {
    const isFolder = (await stat(source)).isDirectory()
    const content = isFolder ? (await readdir(source)).sort().join('/') : await readFile(source, 'latin1')
    return `${isFolder ? 'folder' : 'file'} ${hashText(content).join(' ')}`
  } catch (error) {
    return String((error as { code?: unknown }).code)
  }
}
