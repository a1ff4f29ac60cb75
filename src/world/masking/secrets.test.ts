import { expect, it } from 'vitest'
import { secretOf } from '../webhooks/delivery-request.js'
import { KnownSecrets } from './secrets.js'

const known = new KnownSecrets()
const [secret, other] = [secretOf(7, 'whk_1'), 'whsec_AbCd+/0123456789AbCd+/0123456789']

it.each([
  ['as it is', (key: string) => key],
  ['percent-encoded', (key: string) => encodeURIComponent(key)],
  ['percent-encoded twice', (key: string) => encodeURIComponent(encodeURIComponent(key))],
  ['percent-encoded throughout', (key: string) => [...key].map((letter) => `%${hex(letter)}`).join('')],
  ['escaped as in JSON', (key: string) => [...key].map((letter) => `\\u00${hex(letter)}`).join('')],
  ['with its slashes escaped', (key: string) => key.replaceAll('/', '\\/')],
])('masks the secret of any subscription, %s', (_, write) => {
  for (const key of [secret, other]) {
    expect(known.maskText(`My secret is ${write(key)}, keep it.`, [])).toBe('My secret is ***, keep it.')
    expect(known.maskAddress(`/hook?x=${write(key)}&y=1`, [])).toBe('/hook?x=***&y=1')
  }
})

it('leaves text that only begins like a secret', () => {
  const text = 'A secret begins with whsec_ and goes on: whsec_short.'
  expect(known.maskText(text, [])).toBe(text)
})

function hex(character: string): string {
  return character.charCodeAt(0).toString(16)
}
