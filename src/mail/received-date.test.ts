import { expect, it } from 'vitest'
import { receivedInstant } from './header-date.js'
import { parseEml } from './parse-eml.js'

const dateOf = async (...headers: string[]) =>
  receivedInstant(parseEml([...headers, '', ''].join('\r\n')).headers)

it('returns the latest valid date', async () => {
  const date = await dateOf(
    'Received: from a.example by b.example; Mon, 5 Jan 2026 09:00:00 +0000',
    'Received: from c.example (c.example [192.0.2.1]; really)',
    '\tby a.example; Mon, 5 Jan 2026 12:30:00 +0200 (EET)',
    'RECEIVED: by c.example; Mon, 5 Jan 2026 09:30:00 +0000',
    'Received: by d.example; yesterday',
    'X-Received: by e.example; Mon, 5 Jan 2026 23:00:00 +0000',
  )
  expect(date).toBe(Date.parse('2026-01-05T10:30:00.000Z'))
})

it('returns undefined without a valid date', async () => {
  expect(
    await dateOf('Received: by d.example', 'Received: by d.example; 31 Feb 2026 09:00:00 +0000'),
  ).toBeUndefined()
  expect(await dateOf('Subject: Hello')).toBeUndefined()
})
