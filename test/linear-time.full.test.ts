import { expect, it } from 'vitest'
import { Masker } from '../src/service/record/masker.js'
import { SecretFinder } from '../src/story/secrets.js'

// Texts so long that anything but time in proportion to their length ends these tests at their time-out.

const masker = new Masker(() => ['listed-key', 'desk', 'listed-key-2'])

it.each(['"', '\\', '{"token": "a\\"', '[', '{"auth_token":"', ' token ', '://', '?a', 'token:\\"'])(
  'a long text of %s is masked',
  (piece) => {
    const text = piece.repeat(100_000)
    expect(masker.text(text).length).toBeLessThanOrEqual(2 * text.length)
  },
)

it('a form of many parts is masked', () => {
  const long = 'content-disposition: form-data; name=api_key\r\na'.repeat(20_000)
  expect(masker.text(long)).toBe(long)
})

it('a secret is found in a long text, and only there', () => {
  const secret = 'Kq7wPz4mT9xB'
  const finder = new SecretFinder({ refund_code: secret, pin: '482913' })
  const texts = ['<', '&#', '%4', '\\u00', '4 8 2 9 1 ', 'Kq7wPz4mT9x'].map((part) =>
    part.repeat(200_000 / part.length),
  )
  expect(texts.flatMap((text) => finder.find(text))).toEqual([])
  const many = `${'x'.repeat(200)} ${secret} `.repeat(500)
  expect(finder.masked(many)).toBe(many.replaceAll(secret, '[secret refund_code]'))
})
