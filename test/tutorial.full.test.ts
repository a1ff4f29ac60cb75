import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { built } from './cli/built-program.js'
import { createProject, type ExampleProject } from './examples/project.js'

let project: ExampleProject
let program: string

beforeAll(async () => {
  project = await createProject()
  program = `"${process.execPath}" "${built.main}"`
})

afterAll(() => project.remove())

const page = await readFile(new URL('../docs/tutorial.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => {
  return { language, text, file: /^\/\/ (\S+\.mjs)\n/.exec(text)?.[1] }
})

/** Runs a command of the page with the installed package. */
function run(command: string): Promise<string> {
  return project.run(
    command
      .trim()
      .replace(/npx agent-mailbox-sim/g, program)
      .replace(/npx vitest/g, 'vitest'),
    'typed',
  )
}

describe('docs/tutorial.md', () => {
  it('works line by line', async () => {
    const samples = blocks.filter(({ language, text }) => language === '' && /^[✓✗]/.test(text))
    const written = new Map<string, string>()
    const said: string[] = []
    for (const { language, text, file } of blocks) {
      if (file) {
        written.set(file, text)
        await project.write(`typed/${file}`, text)
        // `write` puts the agent of the examples beside it.
        for (const [name, own] of written) await project.write(`typed/${name}`, own)
        await project.write('typed/agent.mjs', written.get('agent.mjs') ?? '')
      } else if (language === 'sh') {
        said.push(await run(text))
      } else if (language === 'js') {
        // The line that is mended, and the command before it again.
        const mended = (written.get('agent.mjs') ?? '').replace(/^.*>= total.*\n/m, text)
        expect(mended).not.toBe(written.get('agent.mjs'))
        written.set('agent.mjs', mended)
        await project.write('typed/agent.mjs', mended)
        const [, explore] = blocks.filter((block) => block.language === 'sh')
        expect(await run(explore?.text ?? '')).toContain('✓ vitest run')
      }
    }
    expect(said[0]).toMatch(/Tests +1 passed/)
    expect(samples).toHaveLength(2)
    for (const { text } of samples) expect(said.join('\n')).toContain(text)
  })
})
