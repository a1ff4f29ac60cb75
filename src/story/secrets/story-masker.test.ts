import { expect, it } from 'vitest'
import { Masker } from '../../service/record/masker.js'
import { StoryMasker } from './story-masker.js'

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
