import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for the files of candidates, which goes with the process. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-mailbox-sim-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
