import { describe, expect, it } from 'vitest'
import { formatCommandLineDocument, variables } from '../build/command-line-document.js'
import { createProgram } from '../src/cli/program.js'
import { projectFiles, textOf } from './support/documents.js'
import { expectNoStrayMarkup } from './support/markdown-page.js'

const page = await formatCommandLineDocument()

describe('docs/command-line.md', () => {
  it('equals the definitions of the commands', async () => {
    await expect(page).toMatchFileSnapshot('../docs/command-line.md')
  })

  it('has every command of the program', async () => {
    const names = (await createProgram()).commands.map((command) => command.name())
    for (const name of names.filter((name) => name !== 'help'))
      expect(page).toMatch(new RegExp(`^## ${name}`, 'm'))
  })

  it('has every variable that the sources name, and no other', () => {
    const sources = projectFiles('ts', 'py').filter(
      (file) => /^(src|python)\//.test(file) && !file.includes('test'),
    )
    const named = new Set(sources.flatMap((file) => textOf(file).match(/\bMAILBOX_[A-Z_]+[A-Z]\b/g) ?? []))
    const described = variables.map(([name]) => name).filter((name) => name.startsWith('MAILBOX_'))
    expect(described.toSorted()).toEqual([...named].toSorted())
  })

  it('contains no stray Markdown markup', () => {
    expectNoStrayMarkup(page)
  })
})
