import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyText } from '../../test/support/any-text.js'
import { Masker } from '../service/record/masker.js'
import { recognizableLength, SecretFinder, StoryMasker } from './secrets.js'

const secret = 'Kq7wPz4mT9xB'
const finder = new SecretFinder({ refund_code: secret, pin: '482913' })
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const spaced = (by: string): string => [...secret].join(by)

it.each<[how: string, text: string, form: string]>([
  ['as it is', `The code is ${secret}.`, 'as it is'],
  ['within a word', `x${secret}y`, 'as it is'],
  ['in lower case', secret.toLowerCase(), 'in another spelling'],
  ['spaced', spaced(' '), 'in another spelling'],
  ['dashed', spaced('-'), 'in another spelling'],
  ['in groups over lines', 'Kq7w\n> Pz4m\n> T9xB', 'in another spelling'],
  ['with zero-width characters', spaced('\u200b'), 'in another spelling'],
  ['reversed', [...secret].reverse().join(''), 'reversed'],
  ['reversed and dashed', [...secret].reverse().join('-'), 'reversed'],
  ['in base64', base64(secret), 'in base64'],
  ['in base64 one byte later', base64(`!${secret} and more`), 'in base64'],
  ['in base64 two bytes later', base64(`!!${secret}`), 'in base64'],
  ['in base64 over lines', base64(`!${secret}`).replace(/.{5}/g, '$&\r\n'), 'in base64'],
  [
    'in base64 for addresses, of lower case',
    Buffer.from(`~~?${secret.toLowerCase()}`).toString('base64url'),
    'in base64',
  ],
  ['in hex', Buffer.from(secret).toString('hex'), 'in hex'],
  ['in hex with separators', Buffer.from(secret).toString('hex').replace(/../g, '0x$& '), 'in hex'],
])('finds a secret %s', (_, text, form) => {
  expect(finder.find(`Hello, ${text} Bye`)).toEqual([{ name: 'refund_code', form }])
  const masked = finder.masked(`Hello, ${text} Bye; ${text}`)
  expect(masked).toMatch(/^Hello, .*\[secret refund_code\].* Bye; .*\[secret refund_code\]/s)
  expect(masked.length).toBeLessThan(100)
  expect(finder.find(masked)).toEqual([])
})

it('masks a secret from its first character as it is written to its last', () => {
  const texts = [`<${secret}>`, `pin: 482913; ${spaced('-')}, ${spaced('-')}.`, 'Hi']
  expect(finder.maskedIn({ texts, [secret]: 1 })).toEqual({
    texts: ['<[secret refund_code]>', 'pin: [secret pin]; [secret refund_code], [secret refund_code].', 'Hi'],
    '[secret refund_code]': 1,
  })
})

it('finds a short secret only as a word', () => {
  const found = (text: string) => finder.find(text).map(({ name }) => name)
  expect(['It is 482913.', '48 29 13', '(319284)', base64('pin 482913')].map(found)).toEqual(
    Array(4).fill(['pin']),
  )
  expect(['1482913', '4829135', '48 29', 'order 4829-1355'].map(found)).toEqual(Array(4).fill([]))
})

it('finds nothing in other texts', () => {
  const other = anyText({ maxLength: 80 })
  const property = fc.property(other, (text) => {
    expect(finder.find(text)).toEqual([])
  })
  fc.assert(property, { seed: 5, numRuns: 15 })
})

it('finds a secret in any text around it', () => {
  const around = fc.string({ maxLength: 60 })
  const property = fc.property(around, around, (before, after) => {
    expect(finder.find(`${before} ${secret} ${after}`)).toEqual([{ name: 'refund_code', form: 'as it is' }])
  })
  fc.assert(property, { seed: 5, numRuns: 30 })
})

it('tells the number of letters and digits by which a secret is recognized', () => {
  expect(['Kq-7w', '12 34', '\u200b!', 'Ä1é'].map(recognizableLength)).toEqual([4, 4, 0, 3])
})

const code = 'AXR-7723-KKQ'

it.each([
  [['It begins with AXR-77,', 'and it ends with 23-KKQ.']],
  [['See https://mail.example/?q=AXR-77 for what comes before 23-KKQ']],
  [['First AXR.', 'Of course.', 'Then 7723 and kkq.']],
])('finds a secret in pieces: %j', (texts) => {
  const pieces = new SecretFinder({ code })
  expect(pieces.findPieces(texts)).toEqual([{ name: 'code', form: 'in pieces' }])
  expect(pieces.findPieces(texts.map((text) => text.replaceAll(/k/gi, 'L')))).toEqual([])
  expect(pieces.findPieces(texts.toReversed())).toEqual(
    texts.length > 1 ? [] : [{ name: 'code', form: 'in pieces' }],
  )
})

const masker = new StoryMasker(new Masker(() => ['key-of-the-world']), { refund_code: 'RF-2291-KILO' })

it('masks both keys and secrets of the story, in texts, content and commands', () => {
  expect(masker.text('key-of-the-world sent rf 2291 kilo')).toBe('*** sent [secret refund_code]')
  expect(masker.content({ token: 'any', 'RF-2291-KILO': ['a RF-2291-KILO', 7] })).toEqual({
    token: '***',
    '[secret refund_code]': ['a [secret refund_code]', 7],
  })
  const command = ['agent', '--code=RF-2291-KILO', '--token', 'typed-token']
  expect(masker.arguments(command)).toEqual(['agent', '--code=***', '--token', '***'])
  expect(masker.forCommand(command, {}).text('typed-token, RF2291KILO')).toBe('***, [secret refund_code]')
})
