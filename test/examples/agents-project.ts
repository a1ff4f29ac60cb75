import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { built } from '../cli/built-program.js'
import { projectFile } from './languages.js'

/** How a command of the program ended. */
export interface CommandOutcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A copy of `examples/agents` with its dependencies. */
export interface AgentsProject {
  /** Runs `agent-mailbox-sim` in it with these arguments. */
  run(words: readonly string[], signal: AbortSignal): Promise<CommandOutcome>
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
    run: (words, signal) => outcomeOf([built.main, ...words], root, signal),
    read: (path) => readFile(join(root, path), 'utf8'),
    async remove() {
      await rm(root, { recursive: true })
    },
  }
}

/** Variables that change the behavior or output of the program. */
const influences = /^(NO_COLOR|FORCE_COLOR|NODE_OPTIONS|GITHUB_STEP_SUMMARY|MAILBOX_.*)$/

async function outcomeOf(args: readonly string[], cwd: string, signal: AbortSignal): Promise<CommandOutcome> {
  const ordinary = Object.entries(process.env).filter(([name]) => !influences.test(name))
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const env = { ...Object.fromEntries(ordinary), PATH, NO_PROXY: '127.0.0.1' }
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  // After a timeout of the test, the program ends its processes.
  signal.addEventListener('abort', () => void child.kill('SIGTERM'))
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (text) => {
    said.stdout += text
  })
  child.stderr.on('data', (text) => {
    said.stderr += text
  })
  const [status] = await once(child, 'close')
  return { status, ...said }
}
