import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CannotMeasure } from './shared.mjs'

const bench = fileURLToPath(new URL('.', import.meta.url))
const project = fileURLToPath(new URL('..', import.meta.url))

/** Builds the project, and installs what it is compared with unless the lock file's versions are there already. */
export function prepare() {
  tell('Building the project…')
  npm(['run', 'build'], project, 'The project does not build.')
  if (isInstalled()) return
  tell('Installing json-server, Prism, Mockoon and what measures them into bench/node_modules, once…')
  npm(
    ['ci', '--ignore-scripts'],
    bench,
    'They cannot be installed; does "npm ci" work elsewhere on this machine?',
  )
}

function isInstalled() {
  const written = (file) => statSync(`${bench}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
  // npm writes this one last.
  return written('node_modules/.package-lock.json') >= written('package-lock.json')
}

/** Runs the npm that runs this, in a folder; what it says is shown only if it fails. */
function npm(args, cwd, problem) {
  const { npm_execpath: script, ...env } = process.env
  const [command, first] = script ? [process.execPath, [script]] : ['npm', []]
  const options = { cwd, env, encoding: 'utf8', shell: !script && process.platform === 'win32' }
  const { status, stdout, stderr, error } = spawnSync(command, [...first, ...args], options)
  if (status !== 0) {
    const said = error?.message ?? `${stdout}${stderr}`.trim()
    throw new CannotMeasure(`${problem} "npm ${args.join(' ')}" in ${cwd} said:\n${said}`)
  }
}

function tell(text) {
  process.stderr.write(`${text}\n`)
}
