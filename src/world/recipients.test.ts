import { expect, it } from 'vitest'
import { recipientNamed, whyNoRecipient } from './commands/outcome.js'

it('accepts any recipient of mail to undisclosed recipients', () => {
  const mail = { to: [], headers: [['To', 'undisclosed-recipients:;']] as const }
  expect(recipientNamed(mail, 'Ann <ann@shop.example>')).toBe('ann@shop.example')
  expect(whyNoRecipient(mail, 'ann@shop.example')).toBeUndefined()
})

it('accepts only Bcc recipients of mail that names no others', () => {
  const mail = { to: [], headers: [['Bcc', 'ann@shop.example']] as const }
  expect(whyNoRecipient(mail, 'ann@shop.example')).toBeUndefined()
  expect(whyNoRecipient(mail, 'ben@shop.example')).toBe(
    'has no recipient "ben@shop.example"; it goes to ann@shop.example',
  )
})
