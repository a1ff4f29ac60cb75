import { exec } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { built } from '../cli/built-program.js'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** A copy of an example with its dependencies. */
export interface ExampleProject {
  readonly folder: string
  /** Runs a command in a folder of it; returns all its output even if it fails. */
  run(command: string, folder?: string): Promise<string>
  /** Runs a script of its package file. */
  runScript(name: string): Promise<string>
  /** Writes a file, with the agent and its receiver beside it. */
  write(path: string, text: string): Promise<void>
  /** Installs what the lock file of a folder of it names. */
  install(folder?: string): Promise<void>
  /** Installs the built package in an example with all other dependencies. */
  linkPackage(): Promise<void>
  remove(): Promise<void>
}

/** Builds the package and copies an example to a folder outside this project. */
export async function createProject(example = 'unit-tests'): Promise<ExampleProject> {
  const parent = await mkdtemp(join(tmpdir(), 'mailbox-examples-'))
  const root = join(parent, example)
  // As in a clone: the configuration of a project above must not apply to the example.
  await writeFile(join(parent, 'vitest.config.mjs'), "export default { test: { include: ['nothing'] } }\n")
  await cp(at(`examples/${example}`), root, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  const modules = join(root, 'node_modules')
  const linkPackage = async (): Promise<void> => {
    const linked = join(modules, 'agent-mailbox-sim')
    await mkdir(modules, { recursive: true })
    await rm(linked, { force: true })
    await symlink(built.folder, linked, 'junction')
  }
  if (example === 'unit-tests') {
    await linkPackage()
    for (const name of [
      'vitest',
      'jest',
      'expect',
      'msw',
      '@types',
      '@modelcontextprotocol',
      'standardwebhooks',
    ]) {
      await symlink(at(`node_modules/${name}`), join(modules, name), 'junction')
    }
  }
  const run = (command: string, folder = '.') => outputOf(command, join(root, folder))
  return {
    folder: root,
    run,
    install: (folder = '.') => install(join(root, folder)),
    linkPackage,
    async runScript(name) {
      const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
      return run(scripts[name])
    },
    async write(path, text) {
      const file = join(root, path)
      await mkdir(join(file, '..'), { recursive: true })
      for (const name of ['agent.mjs', 'receiver.mjs']) await cp(join(root, name), join(file, '..', name))
      await writeFile(file, text)
    },
    async remove() {
      await rm(parent, { recursive: true })
    },
  }
}

/** Links the dependencies of a folder, which are installed once for each lock file: those of the frameworks take a minute. */
async function install(folder: string): Promise<void> {
  const lock = await readFile(join(folder, 'package-lock.json'))
  const kept = at('node_modules/.cache/examples')
  const installed = join(kept, createHash('sha256').update(lock).digest('hex'))
  if (!existsSync(installed)) {
    await mkdir(kept, { recursive: true })
    const fresh = await mkdtemp(join(kept, 'installing-'))
    for (const name of ['package.json', 'package-lock.json']) await cp(join(folder, name), join(fresh, name))
    const said = await outputOf('npm ci --ignore-scripts --prefer-offline --no-audit --no-fund', fresh)
    if (!said.includes('added')) throw new Error(said)
    await rename(fresh, installed)
  }
  await symlink(join(installed, 'node_modules'), join(folder, 'node_modules'), 'junction')
}

async function outputOf(command: string, cwd: string): Promise<string> {
  const PATH = [at('node_modules/.bin'), process.env['PATH']].join(delimiter)
  // A nested test run must not see the variables of the outer one.
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, VITEST: ___, ...env } = process.env
  const running = promisify(exec)(command, { cwd, env: { ...env, PATH } })
  const { stdout, stderr } = await running.catch((error: { stdout: string; stderr: string }) => error)
  return stripVTControlCharacters(`${stdout}\n${stderr}`)
}
