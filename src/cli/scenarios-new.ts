import { basename, dirname, extname } from 'node:path'
import type { Command } from 'commander'
import { InputError } from './failure.js'
import { jsonStarter } from './starters/json.js'
import { typescriptStarter } from './starters/typescript.js'
import { yamlStarter } from './starters/yaml.js'

/** Adds the command that writes a first scenario. */
export function addScenariosNew(scenarios: Command): void {
  scenarios
    .command('new')
    .summary('write a short scenario to begin with')
    .description(
      'Writes a short scenario with everything once, to begin with: .yaml and .ts with comments, .json ' +
        'without. A file that is there already is left as it is.',
    )
    .argument('<file>', 'a .yaml, .json or .ts file that is not there yet')
    .action(writeStarter)
}

const starters: Readonly<Record<string, (name: string) => string>> = {
  '.yaml': yamlStarter,
  '.yml': yamlStarter,
  '.json': jsonStarter,
  '.ts': typescriptStarter,
}

async function writeStarter(file: string): Promise<void> {
  const ending = extname(file)
  const starter = starters[ending.toLowerCase()]
  if (starter === undefined) {
    const found = ending === '' ? 'has no ending' : `ends in ${ending}`
    throw new InputError(`${file} ${found}; a scenario is a .yaml, .json or .ts file.`)
  }
  const { writeFile } = await import('node:fs/promises')
  try {
    await writeFile(file, starter(nameOf(file, ending)), { flag: 'wx' })
  } catch (error) {
    throw new InputError(explain(file, error as NodeJS.ErrnoException))
  }
  process.stdout.write(nextSteps(file))
}

/** A name such as shipped scenarios have, made of the file's own. */
function nameOf(file: string, ending: string): string {
  const words = basename(file, ending)
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-') ?? 'my-story'
}

function explain(file: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST') return `${file} is there already and was left as it is; choose another name.`
  if (code === 'ENOENT') return `There is no folder ${dirname(file)}; make it first, or choose another.`
  if (code === 'ENOTDIR') return `${dirname(file)} is no folder; choose another.`
  return `${file} cannot be written: ${message}`
}

function nextSteps(file: string): string {
  const quoted = /^[\w./\\:@+-]+$/.test(file) ? file : JSON.stringify(file)
  return `Wrote ${file}. Next:

  agent-mailbox-sim scenarios check ${quoted}    what is in it, or everything wrong with it
  agent-mailbox-sim serve ${quoted} --watch      serves it anew whenever it is saved

agent-mailbox-sim scenarios schema --help tells how editors complete and explain it.
`
}
