import { cp, readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { describeShipped } from '../../src/scenario/source/find-scenario.js'
import { output } from './outcomes.js'
import { nextLine, useProgram } from './program.js'
import { useFolder } from './temporary-folder.js'

const start = useProgram()

const guide = await readFile(new URL('../../docs/scenarios.md', import.meta.url), 'utf8')
const blocks = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => {
  return { language, text, name: /^(?:#|\/\/) (\S+\.(?:yaml|ts))\n/.exec(text)?.[1] }
})
const files = blocks.flatMap(({ name, text }) => (name === undefined ? [] : [{ name, text }]))
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.trimEnd().split('\n'))
  .map((line) => line.replace(/ +#.*/, ''))

/** A folder with every file that the guide shows and the mail that it names. */
async function folderOfGuide(): Promise<(...names: string[]) => string> {
  const path = await useFolder()
  for (const { name, text } of files) await writeFile(path(name), text)
  await cp(new URL('../../fixtures/mail/', import.meta.url), path('mail'), {
    recursive: true,
    filter: (source) => !/mail\/.*\//.test(source.split('fixtures/')[1] ?? ''),
  })
  return path
}

describe('docs/scenarios.md', () => {
  it('shows files that work unchanged', async () => {
    const path = await folderOfGuide()
    const notScenarios = ['broken.yaml', 'claims.yaml']
    const whole = files.map(({ name }) => name).filter((name) => !notScenarios.includes(name))
    const text = await output(start, 'scenarios', 'check', ...whole.map((name) => path(name)))
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(': ')[0]),
    ).toEqual(whole.map((name) => path(name)))
    expect(whole.length).toBeGreaterThan(5)
  })

  it('has no other YAML except the line for editors', () => {
    const others = blocks.filter(({ language, name }) => language === 'yaml' && name === undefined)
    expect(others.map(({ text }) => text)).toEqual([
      '# yaml-language-server: $schema=./scenario.schema.json\nscenario: with-help\n',
    ])
  })

  it('shows the problems of a file with mistakes', async () => {
    const path = await folderOfGuide()
    const { status, stdout, stderr } = await start('scenarios', 'check', path('broken.yaml')).outcome
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    const shown = blocks.filter(({ language }) => language === 'text').map(({ text }) => text)
    expect(shown).toEqual([stderr.replaceAll(path('x').slice(0, -1), '')])
  })

  it('shows commands that work', async () => {
    const path = await folderOfGuide()
    for (const command of commands) {
      const [npx, name, ...args] = command.split(/ > | +/)
      expect([npx, name]).toEqual(['npx', 'agent-mailbox-sim'])
      const paths = args.map((arg) => (/\.(yaml|ts|json)$/.test(arg) ? path(arg) : arg))
      if (args[0] === 'serve') {
        const program = start(...paths, '--port', '0', '--json')
        expect(await nextLine(program)).toContain('"event":"ready"')
        program.process.kill()
        await program.outcome
      } else {
        const written = command.includes(' > ') ? paths.pop() : undefined
        const text = await output(start, ...paths)
        if (written !== undefined) await writeFile(written, text)
      }
    }
    expect(commands.length).toBeGreaterThan(5)
  })

  it('lists every shipped scenario with its contents', async () => {
    const rows = [...guide.matchAll(/^\| \[`([a-z-]+)`\]\(\.\.\/scenarios\/\1\.yaml\) \| (.+) \|$/gm)]
    expect(rows.map(([, name, describe]) => ({ name, describe }))).toEqual(await describeShipped())
  })
})
