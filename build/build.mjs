import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Builds dist/ from src/, unless dist/ was already built from the same files.

// Before the tools are loaded, which fail with pages of source on an older one.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`error: The build needs Node 20.19 or later; this is Node ${process.versions.node}.\n`)
  process.exit(2)
}
const { build } = await import('rolldown')
const { loadConfig } = await import('rolldown/config')
const { publishDeclarations } = await import('./declarations.mjs')
const { describeScenarioTypes } = await import('./scenario-comments.mjs')
const { buildInspector } = await import('./inspector.mjs')
const { billFile, billOf } = await import('./third-party-notices.mjs')

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
  const [library] = await build(await loadConfig('rolldown.config.ts'))
  for (const file of library.output) if (file.isEntry) writeModule(file)
  copyObservers()
  await prepareScenario()
  await buildInspector('dist')
  joinBills('dist', 'dist/inspector')
  const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  const schema = execFileSync(process.execPath, ['dist/cli/main.cjs', 'scenarios', 'schema'])
  describeScenarioTypes('dist/story/format/scenario.d.ts', JSON.parse(schema))
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
  publishDeclarations('dist', Object.values(exports))
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

/** Writes the ES module of an entry, which exports what the entry exports: `import` and `require` share one instance. */
function writeModule({ fileName, exports }) {
  const entry = `./${basename(fileName)}`
  const text =
    exports.length > 0
      ? `import entry from '${entry}'\n\nexport const { ${exports.join(', ')} } = entry\n`
      : `import '${entry}'\n`
  writeFileSync(join('dist', fileName.replace(/\.cjs$/, '.js')), text)
}

/** Copies what agents' processes load, which is shipped as it is. */
function copyObservers() {
  const folder = 'runs/agent/observers'
  cpSync(join('src', folder), join('dist', folder), {
    recursive: true,
    filter: (name) => !/\.ts$|__pycache__/.test(name),
  })
}

/** Writes one bill of materials for all bundles, in the first of their folders. */
function joinBills(...folders) {
  const files = folders.map((folder) => join(folder, billFile))
  const components = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).components)
  for (const file of files) rmSync(file)
  writeFileSync(files[0], billOf(components))
}

/** Writes the default scenario in loaded form, so that starting it requires no parsing and no generation. */
async function prepareScenario() {
  const { prepareScenario } = await import(new URL('../dist/prepared/prepare.cjs', import.meta.url))
  await prepareScenario()
  for (const file of ['prepare.cjs', 'prepare.js']) rmSync(`dist/prepared/${file}`)
}
