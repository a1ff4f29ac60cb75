import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const localImport = /((?:from |import\(|import )["']\.[^"']+)\.js(["'])/g

/**
 * Writes the declaration files for `require`, and removes those that no entry of the package imports. They are copies:
 * the packages that they import have one set of types for ES modules and one for CommonJS, too.
 */
export function publishDeclarations(folder, entries) {
  const required = reachableFrom(entries.flatMap((entry) => entry.require?.types ?? []))
  for (const file of required) {
    const text = readFileSync(`${file}.d.ts`, 'utf8')
    writeFileSync(`${file}.d.cts`, text.replaceAll(localImport, '$1.cjs$2'))
  }
  const imported = reachableFrom(entries.flatMap((entry) => entry.import?.types ?? entry.types ?? []))
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name)
    if (file.endsWith('.d.ts') && !imported.has(file.slice(0, -'.d.ts'.length))) rmSync(file)
  }
}

/** Returns the declaration files that entries import, directly or indirectly, and theirs, without their extension. */
function reachableFrom(entries) {
  const reached = new Set()
  const visit = (file) => {
    if (reached.has(file)) return
    reached.add(file)
    for (const [, start] of readFileSync(`${file}.d.ts`, 'utf8').matchAll(localImport)) {
      visit(join(file, '..', start.replace(/^.*["']/, '')))
    }
  }
  for (const entry of entries) visit(join(entry).replace(/\.d\.c?ts$/, ''))
  return reached
}
