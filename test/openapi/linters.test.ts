import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import common from '../../extensions/common.js'
import { combineExtensions } from '../../src/contract/extensions.js'
import type { OperationObject } from '../../src/contract/openapi/document.js'
import { createOpenApi } from '../../src/contract/openapi.js'
import { profileReadings } from '../../src/world/index.js'

const extensions = combineExtensions([common])

const documents = Object.fromEntries(
  (['default', 'worst-case'] as const).flatMap((profile) => {
    const readings = profileReadings(profile, extensions.gaps)
    return [
      [profile, createOpenApi({ version: '1.2.3', readings })],
      [`${profile} with extensions`, createOpenApi({ version: '1.2.3', readings, extensions })],
    ]
  }),
)

// The requirements of redocly's recommended rules, spectral:oas and swagger-parser beyond validity.
describe.each(Object.entries(documents))('the OpenAPI document under %s', (_, document) => {
  const operations = Object.values(document.paths).flatMap((item): OperationObject[] => Object.values(item))
  const all = [...operations, ...Object.values(document.webhooks).map(({ post }) => post)]

  it('is valid', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(result.errors).toBeUndefined()
  })

  it('describes itself, its tags and its servers', () => {
    expect(document.info).toMatchObject({
      contact: { name: 'agent-mailbox-sim' },
      license: { identifier: 'MIT' },
    })
    for (const { description } of document.tags) expect(description).toMatch(/./)
    for (const { variables = {} } of document.servers) {
      // The schema of swagger-parser for OpenAPI 3.1 allows no other keys of a variable.
      for (const variable of Object.values(variables)) expect(Object.keys(variable)).toEqual(['default'])
    }
  })

  it('describes every operation with a unique id, its keys and its answers', () => {
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
    for (const { operationId, summary, description, security } of all) {
      expect([summary, description, security], operationId).toEqual([
        expect.stringMatching(/./),
        expect.stringMatching(/./),
        expect.any(Array),
      ])
    }
    for (const { operationId, responses, tags } of operations) {
      const statuses = Object.keys(responses)
      // Separate statuses: code generators ignore `4XX`.
      expect(statuses, operationId).toEqual([
        expect.stringMatching(/^2\d\d$/),
        expect.stringMatching(/^4\d\d$/),
        'default',
      ])
      for (const tag of tags) expect(document.tags.map(({ name }) => name)).toContain(tag)
    }
  })
})
