import { describe, expect, it } from 'vitest'
import { formatLlmsDocument } from '../build/llms-document.js'
import { projectFiles, textOf } from './support/documents.js'

// To update it: npx vitest run test/llms-document.test.ts -u
const page = formatLlmsDocument(textOf('docs/README.md'))

describe('llms.txt', () => {
  it('equals the index of the documents', async () => {
    await expect(page).toMatchFileSnapshot('../llms.txt')
  })

  it('lists each page once, as docs/README.md does', () => {
    const listed = [...page.matchAll(/^- \[[^\]]+\]\((\S+)\): \S.{15,}$/gm)].map(([, path = '']) => path)
    const pages = projectFiles('md').filter((path) => /^docs\/(?!decisions\/\d|README)/.test(path))
    expect(listed.filter((path) => path.startsWith('docs/')).toSorted()).toEqual(pages.toSorted())
    expect(listed).toHaveLength(page.match(/^- /gm)?.length ?? 0)
  })
})
