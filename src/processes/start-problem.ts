import { existsSync, statSync } from 'node:fs'
import { extname } from 'node:path'

/** Programs that run files of a kind that is often not executable. */
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

/** Explains why a command could not be started, and what to do; `error` is the system's own. */
export function explainStartProblem(command: readonly string[], error: unknown): string {
  const [program = ''] = command
  if (program === '') return 'The command is empty; name a program after --, as in -- python my_agent.py.'
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return missing(program)
  if (code === 'EACCES') return notExecutable(program)
  if (code === 'ENOEXEC')
    return `${program} is not a program for this machine; put the program that runs it in front of it.`
  if (code === 'E2BIG') return `${program} was given more arguments than the system allows.`
  return `${program} could not be started: ${message}.`
}

function missing(program: string): string {
  if (program.includes('/')) {
    if (!existsSync(program)) return `There is no file ${program}.`
    return `${program} could not be started: the interpreter named in its first line (#!…) does not exist.`
  }
  if (/\s/.test(program)) {
    const words = program.trim()
    return `There is no program called "${words}". Pass its words separately (-- ${words}), or to a shell: -- sh -c "${words}"`
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
    return `${program} is a folder, not a program.`
  return `${program} is not executable; ${howToRun(program)}.`
}

function howToRun(program: string): string {
  const runner = runners[extname(program)]
  const path = program.includes('/') ? program : `./${program}`
  return runner === undefined ? `make it so with chmod +x ${path}` : `run it with -- ${runner} ${program} …`
}
