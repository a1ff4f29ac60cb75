import { expect, it } from 'vitest'
import { formatApiDocument } from '../build/api-document.js'
import packageJson from '../package.json' with { type: 'json' }

const page = formatApiDocument()

it('docs/api.md equals the comments of the sources', async () => {
  await expect(page).toMatchFileSnapshot('../docs/api.md')
})

it('has every entry of the package', () => {
  const { './package.json': _, ...code } = packageJson.exports
  const entries = Object.keys(code).map((path) => path.replace('.', 'agent-mailbox-sim'))
  expect([...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading).sort()).toEqual(entries.sort())
})

it('describes everything', () => {
  const silent = [...page.matchAll(/^### (\w+)\n\n```/gm)].map(([, name]) => name)
  expect(silent).toEqual([])
  expect(page).not.toMatch(/@(?:internal|param|returns)\b|\[object |undefined\n/)
})
