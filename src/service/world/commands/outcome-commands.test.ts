import { describe, expect, it } from 'vitest'
import { recipientNamed, whyNoRecipient } from './outcome.js'

it.each([
  ['a name', '"Lee, Ann" <ann@shop.example>', 'ann@shop.example'],
  ['another case', 'BEN@shop.example', 'ben@shop.example'],
  ['a Cc recipient', 'cy@shop.example', 'cy@shop.example'],
  ['a Bcc recipient', 'Di <di@shop.example>', 'di@shop.example'],
])('an outcome finds the recipient by %s', (_, text, shown) => {
  const headers: [string, string][] = [
    ['CC', 'Cy <cy@shop.example>'],
    ['Bcc', 'Others: eva@shop.example, di@shop.example;'],
    ['Reply-To', 'desk@shop.example'],
  ]
  expect(recipientNamed({ to: ['ann@shop.example', 'ben@shop.example'], headers }, text)).toBe(shown)
})

describe('the recipients of mail that names none in To', () => {
  it('are those of Bcc, or else any', () => {
    const undisclosed = { to: [], headers: [['To', 'undisclosed-recipients:;']] as const }
    const hidden = { to: [], headers: [['Bcc', 'ann@shop.example']] as const }
    for (const mail of [undisclosed, hidden]) {
      expect(recipientNamed(mail, 'Ann <ann@shop.example>')).toBe('ann@shop.example')
    }
    expect(whyNoRecipient(hidden, 'ben@shop.example')).toBe(
      'has no recipient "ben@shop.example"; it goes to ann@shop.example',
    )
  })
})
