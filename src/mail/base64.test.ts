import { expect, it } from 'vitest'
import { sizeOfBase64, toBase64 } from './transfer-encoding.js'

it('encodes bytes as base64 and computes the size of base64', () => {
  for (let length = 0; length < 260; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (length * 31 + index * 7) & 255)
    const text = toBase64(bytes)
    expect(text).toBe(Buffer.from(bytes).toString('base64'))
    expect(sizeOfBase64(text)).toBe(length)
  }
})

it('encodes a part of a buffer', () => {
  expect(toBase64(Uint8Array.of(0, 77, 97, 110, 0).subarray(1, 4))).toBe('TWFu')
})
