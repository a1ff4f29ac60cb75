import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Removes the declaration files below a folder that no entry imports, directly or indirectly. */
export function removeUnreachable(folder, entries) {
  const reached = new Set()
  const visit = (file) => {
    if (reached.has(file)) return
    reached.add(file)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(
      /(?:from |import\(|import )["'](\.[^"']+)\.js["']/g,
    )) {
      visit(join(file, '..', `${path}.d.ts`))
    }
  }
  for (const entry of entries) visit(join(entry))
  for (const file of readdirSync(folder, { recursive: true }).map((name) => join(folder, name))) {
    if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file)
  }
}
