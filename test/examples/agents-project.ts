import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { built } from '../cli/built-program.js'
import { type Outcome, startProgram } from '../cli/program.js'
import { projectFile } from './languages.js'

/** A copy of `examples/agents` with its dependencies. */
export interface AgentsProject {
  /** Runs `agent-mailbox-sim` in it with these arguments. */
  run(words: readonly string[], signal: AbortSignal): Promise<Outcome>
  /** The text of a file of it. */
  read(path: string): Promise<string>
  remove(): Promise<void>
}

/** Builds the package and copies the example to a folder outside this project. */
export async function createAgentsProject(): Promise<AgentsProject> {
  const root = await mkdtemp(join(tmpdir(), 'mailbox-agents-'))
  await cp(projectFile('examples/agents'), root, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  const modules = join(root, 'node_modules')
  await mkdir(modules)
  await symlink(built.folder, join(modules, 'agent-mailbox-sim'), 'junction')
  await symlink(projectFile('node_modules/jiti'), join(modules, 'jiti'), 'junction')
  return {
    run: (words, signal) => outcomeOf(words, root, signal),
    read: (path) => readFile(join(root, path), 'utf8'),
    async remove() {
      await rm(root, { recursive: true })
    },
  }
}

async function outcomeOf(words: readonly string[], cwd: string, signal: AbortSignal): Promise<Outcome> {
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const { process: child, outcome } = startProgram(words, { cwd, env: { PATH, NO_PROXY: '127.0.0.1' } })
  // After a timeout of the test, the program ends its processes.
  signal.addEventListener('abort', () => void child.kill('SIGTERM'))
  return outcome
}
