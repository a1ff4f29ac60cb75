import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Builds the package once before the full suite, unless `dist` is up to date. */
export default function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../build/build.mjs', import.meta.url))], {
    stdio: 'inherit',
  })
}
