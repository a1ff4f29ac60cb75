import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { keepUsed } from './used-declarations.mjs'

/**
 * Removes the declarations below a folder that no entry of the package refers to, and copies those for `require` into its
 * folder `require`, where they count as CommonJS. They are the same files, but the packages that they import have other types
 * for CommonJS.
 */
export function publishDeclarations(folder, entries) {
  const typesOf = (condition) => entries.flatMap((entry) => entry[condition]?.types ?? [])
  const required = join(folder, 'require')
  for (const name of readdirSync(folder, { recursive: true })) {
    if (name.endsWith('.d.ts')) forOlderCompilers(join(folder, name))
  }
  const used = keepUsed(
    [...typesOf('import'), ...entries.flatMap(({ types }) => types ?? [])].map((file) => join(file)),
  )
  const inFolder = typesOf('require').map((file) => join(folder, relative(required, file)))
  for (const file of reachableFrom(inFolder)) {
    const copy = join(required, relative(folder, file))
    cpSync(file, copy)
    // It is an ES module only, which CommonJS imports types from only if they are marked so.
    const text = readFileSync(file, 'utf8')
    const faker = /^import(?: type)? (.*) from '@faker-js\/faker';$/gm
    const marked = `import type $1 from '@faker-js/faker' with { "resolution-mode": "import" };`
    if (faker.test(text)) writeFileSync(copy, text.replaceAll(faker, marked))
  }
  writeFileSync(join(required, 'package.json'), '{ "type": "commonjs" }\n')
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name)
    if (file.endsWith('.d.ts') && !file.startsWith(required) && !used.has(file)) rmSync(file)
  }
}

/** Writes typed arrays without the type of their memory, which TypeScript knows since 5.7 only. */
function forOlderCompilers(file) {
  const text = readFileSync(file, 'utf8')
  const plain = text.replaceAll(/\b(\w+Array)<ArrayBuffer(?:Like)?>/g, (all, name) =>
    name in globalThis ? name : all,
  )
  if (plain !== text) writeFileSync(file, plain)
}

/** Returns the declaration files that entries import, directly or indirectly, and those of the entries. */
function reachableFrom(entries) {
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
  return reached
}
