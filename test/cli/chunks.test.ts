import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useProgram } from './program.js'

const start = useProgram()

/** The files of the program that one of them loads before it runs, itself among them. */
async function loadedWith(file: string, loaded = new Set<string>()): Promise<ReadonlySet<string>> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  const code = await readFile(join(start.folder(), 'dist/cli', file), 'utf8')
  for (const [, next = ''] of code.matchAll(/(?:from|import) ?["']\.\/([^"']+\.js)["']/g))
    await loadedWith(next, loaded)
  return loaded
}

it('answers what is asked about the program without loading what serves', async () => {
  const main = await readFile(join(start.folder(), 'dist/cli/main.js'), 'utf8')
  const [, command = ''] = /import\(["'`]\.\/([^"'`]+)["'`]\)/.exec(main) ?? []
  const loaded = [...(await loadedWith(command))]
  expect(loaded.some((file) => file.startsWith('cli-start'))).toBe(true)
  expect(loaded.filter((file) => /^(server|scenario)-/.test(file))).toEqual([])
})
