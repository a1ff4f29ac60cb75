import { cp, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../base/package.js'
import type { NamedStory } from './kept-play.js'

/** A story with the files that were read for it, and those that were looked for. */
export interface StoryFiles extends NamedStory {
  readonly files: readonly URL[]
}

/**
 * Copies the files of a story into a folder of results, so that it can be told again when they have changed. Returns the path
 * of the scenario's copy from there; undefined if a story consists of code, since a copy would lack what that imports.
 */
export async function copyStory(
  folder: string,
  { scenario, extend = [], files }: StoryFiles,
): Promise<string | undefined> {
  const shipped = fileURLToPath(packageRoot())
  const further = extend.map((name) => resolve(name))
  const paths = [...new Set(files.map((file) => fileURLToPath(file).replace(/[/\\]$/, '')))].filter(
    (path) => !further.includes(path) && !isWithin(path, join(shipped, 'fixtures')),
  )
  const original = resolve(scenario)
  if (!paths.includes(original) || paths.some((path) => /\.[cm]?[jt]sx?$/.test(path))) return undefined
  const root = paths.map(dirname).reduce(commonFolder)
  const copied = join(folder, 'story')
  for (const path of paths) {
    const isThere = (await stat(path).catch(() => undefined)) !== undefined
    if (isThere && !isWithin(resolve(copied), path)) {
      await cp(path, join(copied, relative(root, path)), { recursive: true })
    }
  }
  return `./story/${relative(root, original).replaceAll(sep, '/')}`
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

function commonFolder(one: string, other: string): string {
  return isWithin(other, one) ? one : commonFolder(dirname(one), other)
}
