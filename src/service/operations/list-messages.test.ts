import { expect, it } from 'vitest'
import { ask, createDesk } from '../../../test/support/simulator/asked-desk.js'

it.each([
  ['100', '100', 200],
  ['100', '101', 400],
  ['500', '101', 200],
  ['500', '501', 400],
  ['none', '501', 200],
])('has the maximum limit of the assumption %s: limit=%s gives %i', async (maximum, limit, status) => {
  const desk = await createDesk()
  desk.assumptions.set({ 'messages.limit-maximum': maximum as never })
  await ask(desk, `/api/v1/mail/messages?limit=${limit}`)
  expect(desk.journal.exchanges()).toMatchObject([{ status }])
})
