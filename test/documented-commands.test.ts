import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../src/cli/program.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = execFileSync('git', ['ls-files', '*.md', '*.yml', '*.yaml', '*.sh'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')

describe('commands in documents', () => {
  it('use existing commands, flags and values', async () => {
    const wrong: string[] = []
    let count = 0
    for (const document of documents) {
      for (const words of commandsIn(readFileSync(`${root}/${document}`, 'utf8'))) {
        count++
        const problem = await problemOf(words)
        if (problem !== undefined) wrong.push(`${document}: ${words.join(' ')}: ${problem}`)
      }
    }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(60)
  })

  it('are refused if wrong', async () => {
    expect(await problemOf(['replay', 'a.yaml', '--grase', '5s'])).toContain("unknown option '--grase'")
    expect(await problemOf(['serve', '--clock', 'slow'])).toContain('There is no clock "slow"')
  })
})

/** Returns the error of a command line that is only parsed. */
async function problemOf(words: readonly string[]): Promise<string | undefined> {
  const program = createProgram()
  const said: string[] = []
  disarm(program, said)
  try {
    await program.parseAsync([...words], { from: 'user' })
    return undefined
  } catch (error) {
    return (error as { exitCode?: number }).exitCode === 0 ? undefined : said.join('') || String(error)
  }
}

function disarm(command: Command, said: string[]): void {
  command.action(() => undefined)
  command.configureOutput({ writeOut: () => undefined, writeErr: (text) => void said.push(text) })
  for (const sub of command.commands) disarm(sub, said)
}

/** The command lines of a document's blocks of shell, as words. */
function commandsIn(text: string): string[][] {
  const lines = text.replace(/\\\n\s*/g, '').split('\n')
  return lines.flatMap((line) => {
    const found = /^(?:- run: |\s*- run: |[A-Z_]+=\S+ )*(?:npx )?agent-mailbox-sim(?= |$)(.*)$/.exec(
      line.trim(),
    )
    const rest = found?.[1]
    // Prose that begins with the name, a usage line, or a placeholder.
    if (rest === undefined || /[[<|…]|`| {2,}[a-z]+ /.test(rest.split(' -- ')[0] as string)) return []
    return [wordsOf(rest.replace(/ +(#|\|\| |> |&$|&& ).*$/, ''))]
  })
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => {
    return double ?? single ?? plain ?? ''
  })
}
