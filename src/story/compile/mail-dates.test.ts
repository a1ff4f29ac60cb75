import { expect, it } from 'vitest'
import { parseEml } from '../../mail/parse-eml.js'
import { datesOf, factsOf } from './maildir.js'

const start = 1_767_603_600_000
const minute = 60_000

async function dated(...mails: string[][]): Promise<number[]> {
  const parsed = await Promise.all(mails.map((lines) => parseEml([...lines, '', ''].join('\r\n'))))
  return datesOf(parsed.map(factsOf), start).map((date) => (date - start) / minute)
}

it('dates circular replies and long chains of replies', async () => {
  expect(await dated(['Message-ID: <1@x.example>', 'In-Reply-To: <1@x.example>'])).toEqual([0])
  const circle = await dated(
    ['Message-ID: <1@x.example>', 'In-Reply-To: <2@x.example>'],
    ['Message-ID: <2@x.example>', 'In-Reply-To: <1@x.example>'],
  )
  expect(circle.toSorted()).toEqual([0, 1])
  const blank = await parseEml('')
  const chain = Array.from({ length: 12_000 }, (_, index) => {
    return { ...blank, messageId: `<${index}@x>`, inReplyTo: `<${index + 1}@x>` }
  })
  expect(datesOf(chain.map(factsOf), start)[0]).toBe(start + 11_999 * minute)
  const end = '9999-12-31T23:59:59.000Z'
  const late = [
    { ...blank, messageId: '<a@x>', headers: [['Date', end] as const] },
    { ...blank, inReplyTo: '<a@x>' },
  ]
  expect(datesOf(late.map(factsOf), start)[1]).toBe(253_402_300_799_999)
})
