import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { writeInto } from './temporary-folder.js'

/**
 * Installs MSW 3 into a folder, with what else is named. It is no dependency of this package, since it requires a later
 * Node than the oldest that the package supports.
 */
export async function installMsw3(
  folder: string,
  dependencies: Readonly<Record<string, string>> = {},
): Promise<void> {
  await writeInto(folder, {
    'package.json': JSON.stringify({ dependencies: { msw: '^3.0.5', ...dependencies } }),
  })
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--silent']
  await promisify(execFile)('npm', ['install', ...flags], { cwd: folder })
}
