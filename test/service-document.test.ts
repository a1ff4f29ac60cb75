import { describe, expect, it } from 'vitest'
import { formatServiceDocument, linkToPart } from '../build/service-document.js'
import { gapIds, gaps } from '../src/contract/gaps.js'
import { type DocumentedOperation, operations } from '../src/contract/operations.js'
import { expectNoStrayMarkup } from './support/markdown-page.js'

const page = formatServiceDocument()

describe('docs/service.md', () => {
  it('equals the contract', async () => {
    await expect(page).toMatchFileSnapshot('../docs/service.md')
  })

  it('describes every operation with all its parameters', () => {
    for (const [name, { method, path, query, inPath }] of Object.entries<DocumentedOperation>(operations)) {
      const [, section = ''] = page.split(`\`${method} ${path}\` (\`${name}\`)`)
      const [text = ''] = section.split('\n#')
      for (const parameter of Object.keys({ ...query, ...inPath }))
        expect(text, name).toContain(`| \`${parameter}\``)
    }
  })

  it('links every gap from each part that leaves it open', () => {
    for (const id of gapIds) {
      expect(page.split(`\n- [\`${id}\`](`).length - 1, id).toBe(gaps[id].parts.length)
      for (const part of gaps[id].parts)
        expect(linkToPart(part)).toMatch(/^\[[A-Z][a-z A-Z]+\]\(service\.md#[a-z-]+\)$/)
    }
  })

  it('contains no stray Markdown markup', () => {
    expectNoStrayMarkup(page)
  })
})
