import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../test/support/any-text.js'
import { formatMailbox, isAddress, parseMailbox, parseMailboxList } from './address.js'

describe('isAddress', () => {
  it('accepts bare addresses', () => {
    const addresses =
      'ann@shop.example ann.lee+lamps@mail.shop.example unknown@invalid zoë@kontör.example root@[192.0.2.1] ' +
      'root@[IPv6:2001:db8::1]'
    expect(addresses.split(' ').filter((text) => !isAddress(text))).toEqual([])
  })

  it('refuses other texts', () => {
    const others = [
      ...'@ ann ann@ @shop.example ann@shop@example ann@shop..example ann@.example ann@shop.example.'.split(
        ' ',
      ),
      ...['<ann@shop.example>', 'ann,bob@shop.example', '"x@evil.example"@shop.example', ''],
      ...['ann lee@shop.example', 'ann@shop example', 'ann@shop.example\n', 'a\u0000nn@shop.example'],
      `${'a'.repeat(254)}@shop.example`,
    ]
    expect(others.filter((text) => isAddress(text))).toEqual([])
  })
})

describe('parseMailbox', () => {
  it.each([
    ['ann@shop.example', '', 'ann@shop.example'],
    ['<ann@shop.example>', '', 'ann@shop.example'],
    ['Ann Lee <ann@shop.example>', 'Ann Lee', 'ann@shop.example'],
    ['"Lee, Ann" <ann@shop.example>', 'Lee, Ann', 'ann@shop.example'],
    ['Ann <ann@shop.example> "Lamps"', 'Ann Lamps', 'ann@shop.example'],
    ['"Ann \\"Lamp\\" Lee" <ann@shop.example>', 'Ann "Lamp" Lee', 'ann@shop.example'],
    ['ann@shop.example (Ann Lee)', 'Ann Lee', 'ann@shop.example'],
    ['ann@mail   . shop .example (Ann Lee)', 'Ann Lee', 'ann@mail.shop.example'],
    ['=?utf-8?Q?J=C3=BCrgen?= <j@kontor.example>', 'Jürgen', 'j@kontor.example'],
    ['Ann Lee "ann lee"@shop.example', 'Ann Lee', '"ann lee"@shop.example'],
    ['=?utf-8?Q?Ann=0D=0ABcc=3A_x?= <ann@shop.example>', 'Ann Bcc: x', 'ann@shop.example'],
  ])('parses %s', (text, name, address) => {
    expect(parseMailbox(text)).toEqual({ name, address })
  })

  it.each([
    '',
    'Ann',
    'Ann <>',
    'Ann <ann>',
    'Ann <ann lee@shop.example>',
    'a@shop.example, b@shop.example',
    'Team: a@shop.example;',
    '"x@evil.example"@shop.example',
    '<"ann@shop.example>"@evil.example>',
  ])('returns undefined for %j', (text) => {
    expect(parseMailbox(text)).toBeUndefined()
  })
})

describe('parseMailboxList', () => {
  it('parses several mailboxes and groups and skips entries without an address', () => {
    expect(
      parseMailboxList('Ann <ann@shop.example>, nobody, Team: b@shop.example, "C, D" <c@shop.example>;'),
    ).toEqual([
      { name: 'Ann', address: 'ann@shop.example' },
      { name: '', address: 'b@shop.example' },
      { name: 'C, D', address: 'c@shop.example' },
    ])
  })
})

describe('formatMailbox', () => {
  it.each([
    ['Ann Lee', 'Ann Lee <ann@shop.example>'],
    ["Ann O'Hara", "Ann O'Hara <ann@shop.example>"],
    ['Jürgen 佐藤 ☾', 'Jürgen 佐藤 ☾ <ann@shop.example>'],
    ['Lee, Ann', '"Lee, Ann" <ann@shop.example>'],
    ['J. Lee', '"J. Lee" <ann@shop.example>'],
    ['Ann "Lamp" \\ Lee', '"Ann \\"Lamp\\" \\\\ Lee" <ann@shop.example>'],
    ['Ann\r\nBcc: x', '"Ann Bcc: x" <ann@shop.example>'],
    ['', 'ann <ann@shop.example>'],
  ])('formats the name %j', (name, written) => {
    expect(formatMailbox({ name, address: 'ann@shop.example' })).toBe(written)
  })

  it('is reversed by parseMailbox', () => {
    const address = fc.stringMatching(/^[a-z][a-z0-9+_-]{0,12}@[a-z]{1,9}\.example$/)
    const name = fc
      .oneof(
        anyText({ minLength: 1 }),
        fc.stringMatching(/^[ -~]{1,20}$/),
        fc.constantFrom('"', '\\', '()', '<a@b.example>', 'a@b.example', ';:,', '."'),
      )
      .map((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
      // A name that reads as an encoded word is decoded, by the rules of mail
      .filter((text) => text !== '' && !text.includes('=?'))
    fc.assert(
      fc.property(name, address, (name, address) => {
        expect(parseMailbox(formatMailbox({ name, address }))).toEqual({ name, address })
      }),
      { numRuns: 150 },
    )
  })
})
