import { copyFile, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build as bundle } from 'rolldown'
import { inject } from 'vitest'
import { bundles } from '../../build/bundles.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A build of the program as it is now, apart from `dist`. */
export interface BuiltProgram {
  /** The file to run. */
  readonly main: string
  /** The package as it would be installed. */
  readonly folder: string
}

/**
 * Builds the program where it finds its dependencies, its scenarios and its package file: once for all test files of a
 * run, by the first one that wants it.
 */
export async function buildProgram(): Promise<BuiltProgram> {
  const shared = inject('buildFolder')
  const folder = join(shared, 'package')
  const outcome = join(shared, 'outcome.txt')
  const first = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (first) {
    await writeFile(`${outcome}.new`, await build(folder).then(() => 'built', String))
    // Whoever waits must not read half of it.
    await rename(`${outcome}.new`, outcome)
  }
  for (;;) {
    const said = await readFile(outcome, 'utf8').catch(() => '')
    if (said === 'built') return { main: join(folder, 'dist/cli/main.js'), folder }
    if (said !== '') throw new Error(said)
    await setTimeout(20)
  }
}

async function build(folder: string): Promise<void> {
  // A copy, since programs that look for the package by its file follow a link to where `dist` is another.
  await copyFile(join(root, 'package.json'), join(folder, 'package.json'))
  for (const name of ['scenarios', 'fixtures']) {
    await symlink(join(root, name), join(folder, name), 'junction')
  }
  await bundle(bundles(join(folder, 'dist')))
}
