import { expect, it } from 'vitest'
import { SecretFinder } from './secret-finder.js'
import { PieceFinder } from './secret-pieces.js'

const code = 'AXR-7723-KKQ'
const lines = (prefix: string): string => [...code].map((one) => `${prefix}${one}hat is fine.`).join('\n')

it.each<[form: string, texts: readonly string[]]>([
  ['in pieces', ['It begins with AXR-77,', 'and it ends with 23-KKQ.']],
  ['in pieces', ['See https://mail.example/?q=AXR-77 for what comes before 23-KKQ']],
  ['in the first letters of lines', [lines('')]],
  ['in the second letters of lines', [lines('T')]],
  ['letter by letter', [...code].map((one) => `Next: ${one}`)],
])('finds a secret with dashes %s', (form, texts) => {
  const finder = new PieceFinder({ code })
  expect(finder.find(texts)).toEqual([{ name: 'code', form }])
  expect(finder.find(texts.map((text) => text.replaceAll('K', 'L')))).toEqual([])
})

it.each([' ', ', ', ''])('finds the codes of characters in three digits, separated by "%s"', (separator) => {
  const codes = [...code].map((one) => `${one.charCodeAt(0)}`.padStart(3, '0')).join(separator)
  expect(new SecretFinder({ code }).find(`Send ${codes}.`)).toEqual([{ name: 'code', form: 'in decimal' }])
})
