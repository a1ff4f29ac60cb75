import { existsSync, statSync } from 'node:fs'
import { extname } from 'node:path'

/** What runs a file of a kind that may well not be executable. */
const runners: Readonly<Record<string, string>> = {
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.ts': 'npx tsx',
  '.mts': 'npx tsx',
  '.py': 'python3',
  '.sh': 'sh',
  '.rb': 'ruby',
}

/** Why a command could not be started, with what to do; `error` is what the system says. */
export function explainNotStarted(command: readonly string[], error: unknown): string {
  const [program = ''] = command
  if (program === '')
    return 'The command is empty; after -- comes the name of a program, as in -- python my_agent.py.'
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return missing(program)
  if (code === 'EACCES') return notExecutable(program)
  if (code === 'ENOEXEC') return `${program} is no program for this machine; name what runs it first.`
  if (code === 'E2BIG') return `${program} was given more arguments than the system takes.`
  return `${program} could not be started: ${message}.`
}

function missing(program: string): string {
  if (program.includes('/')) {
    if (!existsSync(program)) return `There is no file ${program}.`
    return `${program} could not be started: what its first line names to run it with (#!…) is not there.`
  }
  if (/\s/.test(program)) {
    const words = program.trim()
    return `There is no program called "${words}". Give its words one by one (-- ${words}), or to a shell: -- sh -c "${words}"`
  }
  if (existsSync(`node_modules/.bin/${program}`)) {
    return `There is no program ${program} in PATH, but there is one in node_modules: -- npx ${program} …`
  }
  if (existsSync(program)) {
    return `There is no program ${program} in PATH; for the file in this folder, ${howToRun(program)}.`
  }
  return `There is no program ${program} in PATH.`
}

function notExecutable(program: string): string {
  if (statSync(program, { throwIfNoEntry: false })?.isDirectory())
    return `${program} is a folder, no program.`
  return `${program} is not executable; ${howToRun(program)}.`
}

function howToRun(program: string): string {
  const runner = runners[extname(program)]
  const path = program.includes('/') ? program : `./${program}`
  return runner === undefined ? `make it so with chmod +x ${path}` : `run it with -- ${runner} ${program} …`
}
