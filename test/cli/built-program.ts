import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A build of the program as it is now, apart from `dist`. */
export interface BuiltProgram {
  /** The file to run. */
  readonly main: string
  /** The package as it would be installed. */
  readonly folder: string
  remove(): Promise<void>
}

/** Builds the program where it finds its dependencies, its scenarios and its package file. */
export async function buildProgram(): Promise<BuiltProgram> {
  const cache = join(root, 'node_modules/.cache/agent-mailbox-sim')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'cli-'))
  // A copy, since programs that look for the package by its file follow a link to where `dist` is another.
  await copyFile(join(root, 'package.json'), join(folder, 'package.json'))
  for (const name of ['scenarios', 'fixtures']) {
    await symlink(join(root, name), join(folder, name), 'junction')
  }
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const project = join(root, 'tsconfig.build.json')
  // Types are checked elsewhere; here only what runs is wanted.
  const options = ['--noCheck', '--declaration', 'false', '--sourceMap', 'false', '--inlineSources', 'false']
  const outDir = join(folder, 'dist')
  await promisify(execFile)(process.execPath, [compiler, '-p', project, '--outDir', outDir, ...options])
  return {
    main: join(outDir, 'cli/main.js'),
    folder,
    remove: () => rm(folder, { recursive: true }),
  }
}
