import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { loadConfig } from 'rolldown/config'
import { removeUnreachable } from './declarations.mjs'
import { buildInspector } from './inspector.mjs'

// Builds dist/ from src/, unless dist/ was already built from the same files.

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const inputs = [
  'build',
  'extensions',
  'fixtures',
  'package-lock.json',
  'package.json',
  'rolldown.config.ts',
  'scenarios',
  'src',
  'tsconfig.build.json',
  'tsconfig.json',
]
const stamp = 'dist/.inputs'

const hash = hashOf(inputs)
if (hash !== builtFrom()) {
  rmSync('dist', { recursive: true, force: true })
  await build(await loadConfig('rolldown.config.ts'))
  await prepareScenario()
  await buildInspector('dist')
  cpSync('src/commonjs', 'dist/commonjs', { recursive: true })
  const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
  removeUnreachable(
    'dist',
    Object.values(exports).flatMap(({ types }) => types ?? []),
  )
  writeFileSync(stamp, hash)
}

/** Returns a digest of the contents of files and folders, without tests. */
function hashOf(paths) {
  const digest = createHash('sha256')
  for (const path of paths) {
    const isFolder = statSync(path).isDirectory()
    for (const file of isFolder ? readdirSync(path, { recursive: true }).toSorted() : ['']) {
      const name = join(path, file)
      if (name.endsWith('.test.ts') || statSync(name).isDirectory()) continue
      digest.update(`${name}\0`).update(readFileSync(name))
    }
  }
  return digest.digest('hex')
}

function builtFrom() {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return undefined
  }
}

/** Writes the default scenario in loaded form, so that starting it requires no parsing and no generation. */
async function prepareScenario() {
  const { prepareScenario } = await import(new URL('../dist/prepared/prepare.js', import.meta.url))
  writeFileSync('dist/prepared/support-desk.json', await prepareScenario())
  rmSync('dist/prepared/prepare.js')
}
