import { expect, it } from 'vitest'
import { careful, type Reads, readers, searchReader } from './form-readers.js'

it.each([
  ['blind to HTML', /^(html-only|stub-text)$/],
  ['first text wins', /^stub-text$/],
  ['quoted text as new', /^(quoted|gmail|outlook|apple-mail)$/],
  ['only mail to its exact address', /^(plus-address|other-case|blind-copy)$/],
])('finds the form of a message that breaks a client: %s', async (name, form) => {
  const { findings } = await searchReader(readers[name] as Reads, 3, 20, ['forms'])
  const [first] = findings
  expect(first?.elements).toMatchObject([{ vary: 'forms', form: expect.stringMatching(form) }])
})

it('blames no client that reads messages with care', async () => {
  const { findings, flaky } = await searchReader(careful, 5, 12, ['forms'])
  expect({ findings, flaky }).toEqual({ findings: [], flaky: [] })
})
