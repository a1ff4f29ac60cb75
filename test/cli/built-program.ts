import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../..')

/** The package and its program; `test/support/build-package.ts` builds them before the full suite runs. */
export const built = { folder, main: join(folder, 'dist/cli/main.cjs') } as const
