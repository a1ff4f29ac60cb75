import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A language that examples are written in. */
export interface Language {
  readonly name: 'TypeScript' | 'Python'
  /** The folder of its agents below `examples/agents`, and the ending of its files. */
  readonly folder: string
  readonly ending: string
  /** The program that runs its files, with the arguments before the file. */
  readonly runner: readonly string[]
}

const typescript: Language = {
  name: 'TypeScript',
  folder: 'typescript',
  ending: 'ts',
  // Node 20 does not strip types by default.
  runner: [process.execPath, '--import', 'jiti/register'],
}

/** The languages available on this machine; Python only if it is new enough. */
export function languagesHere(): Language[] {
  const python: Language = { name: 'Python', folder: 'python', ending: 'py', runner: ['python3'] }
  return isNewPython('python3') ? [typescript, python] : [typescript]
}

/** The Python interpreters on the path that are new enough. */
export function pythonsOnPath(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const files = folders.flatMap((folder) => ['python3', 'python3.exe'].map((name) => join(folder, name)))
  return files.filter((file) => existsSync(file) && isNewPython(file))
}

/** Returns the first interpreter that has pytest and xdist; Debian's own is not always the first of the path. */
export function pythonWithPytest(): string | undefined {
  const found = ['python3', '/usr/bin/python3'].find(
    (name) => spawnSync(name, ['-c', 'import pytest, xdist']).status === 0,
  )
  // Where all checks run, none of them is left out.
  return found ?? (process.env['CI'] === undefined ? undefined : 'python3')
}

function isNewPython(program: string): boolean {
  return spawnSync(program, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0
}

/** The path of a file of the project. */
export function projectFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}
