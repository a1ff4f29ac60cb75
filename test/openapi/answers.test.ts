import { expect, it } from 'vitest'
import { createOpenApi } from '../../src/contract/openapi.js'
import { closed, createFaultsOf } from './answer-schemas.js'
import { answersUnder } from './answers.js'

it.each(['default', 'worst-case'])('the OpenAPI document fits every answer under %s', async (profile) => {
  const faultsOf = createFaultsOf(closed(createOpenApi({ version: '1.2.3' })))
  const good = (await answersUnder(profile)).filter(({ status }) => status === 200)
  expect(new Set(good.map(({ operation }) => operation)).size).toBe(5)
  for (const { operation, asked, body } of good) {
    expect(faultsOf(operation, body), `${asked} ${JSON.stringify(body)}`).toEqual([])
    expect(faultsOf(operation, { ...(body as object), more: null }), asked).not.toEqual([])
  }
})
