import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CannotMeasure } from './shared.mjs'

const bench = fileURLToPath(new URL('.', import.meta.url))
const project = fileURLToPath(new URL('..', import.meta.url))

/** Builds the project, and installs the programs it is compared with, unless the locked versions are installed. */
export function prepare() {
  report('Building the project…')
  npm(['run', 'build'], project, 'The project does not build.')
  if (isInstalled()) return
  report('Installing json-server, Prism, Mockoon and the measuring tools into bench/node_modules, once…')
  npm(
    ['ci', '--ignore-scripts'],
    bench,
    'They cannot be installed; does "npm ci" work elsewhere on this machine?',
  )
}

function isInstalled() {
  const written = (file) => statSync(`${bench}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
  // npm writes this file last.
  return written('node_modules/.package-lock.json') >= written('package-lock.json')
}

/** Runs the npm that started this process, in a folder; shows its output only if it fails. */
function npm(args, cwd, problem) {
  const { npm_execpath: script, ...env } = process.env
  const [command, first] = script ? [process.execPath, [script]] : ['npm', []]
  const options = { cwd, env, encoding: 'utf8', shell: !script && process.platform === 'win32' }
  const { status, stdout, stderr, error } = spawnSync(command, [...first, ...args], options)
  if (status !== 0) {
    const output = error?.message ?? `${stdout}${stderr}`.trim()
    throw new CannotMeasure(`${problem} The output of "npm ${args.join(' ')}" in ${cwd}:\n${output}`)
  }
}

function report(text) {
  process.stderr.write(`${text}\n`)
}
