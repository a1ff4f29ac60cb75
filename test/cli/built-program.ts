import { join, resolve } from 'node:path'

/** The package built by the setup of the full suite. */
export interface BuiltProgram {
  /** The file to run. */
  readonly main: string
  /** The root of the package. */
  readonly folder: string
}

/** Returns where the built package is; `test/support/build-package.ts` builds it before the full suite runs. */
export async function buildProgram(): Promise<BuiltProgram> {
  const folder = resolve(import.meta.dirname, '../..')
  return { main: join(folder, 'dist/cli/main.js'), folder }
}
