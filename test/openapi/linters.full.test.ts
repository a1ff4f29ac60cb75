import { Validator } from '@seriousme/openapi-schema-validator'
import { defineExtension } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import common from '../../extensions/common.js'
import { combineExtensions } from '../../src/contract/extensions.js'
import type { OperationObject, PathItem } from '../../src/contract/openapi/document.js'
import { createOpenApi, type OpenApiDocument } from '../../src/contract/openapi.js'
import { createDocument } from '../../src/doors/controls/document.js'
import { routes } from '../../src/doors/controls/table.js'
import { profileAssumptions } from '../../src/service/assumptions/assumptions.js'

/** An extension whose declarations do not fit a document as they are written. */
const unusual = defineExtension(({ operation, gap, z }) => {
  gap({ id: 'notes.kept', question: 'How long?', assumptions: { forever: 'Forever.', briefly: 'A day.' } })
  const label = z.object({ name: z.string() }).meta({ id: 'Label' })
  const note = z.object({
    label,
    also: label,
    get replies() {
      return z.array(note)
    },
  })
  return [
    operation({
      id: 'identities.note',
      method: 'POST',
      path: '/api/v1/identities/{name}',
      params: z.object({ name: z.string().max(10) }),
      body: note,
      perform: () => ({}),
    }),
    operation({
      id: 'notes.list',
      method: 'GET',
      path: '/v2/notes/{handle}',
      query: z.object({ since: z.coerce.date().optional(), any: z.json().optional() }),
      response: z.object({ notes: z.array(note) }),
      perform: () => ({}),
    }),
  ]
})

const extensions = combineExtensions([common, unusual])

const documents = Object.fromEntries(
  (['default', 'worst-case'] as const).flatMap((profile) => {
    const assumptions = profileAssumptions(profile, extensions.gaps)
    return [
      [profile, createOpenApi({ version: '1.2.3', assumptions })],
      [`${profile} with extensions`, createOpenApi({ version: '1.2.3', assumptions, extensions })],
    ]
  }),
)

/** What the documents of the service and of the control API have in common. */
type LintedDocument = Omit<OpenApiDocument, 'paths' | 'webhooks'> & {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks?: OpenApiDocument['webhooks']
  readonly security?: readonly object[]
}

const linted: Readonly<Record<string, LintedDocument>> = {
  ...documents,
  'the control API': createDocument(routes, '1.2.3') as unknown as LintedDocument,
}

// The requirements of redocly's recommended rules, spectral:oas and swagger-parser beyond validity.
describe.each(Object.entries(linted))('the OpenAPI document under %s', (_, document) => {
  const operations = Object.values(document.paths).flatMap((item): OperationObject[] => Object.values(item))
  const all = [...operations, ...Object.values(document.webhooks ?? {}).map(({ post }) => post)]

  it('is valid', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(result.errors).toBeUndefined()
  })

  it('refers only to parts of itself', () => {
    const text = JSON.stringify(document)
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
    expect(references.length).toBe(text.split('"$ref"').length - 1)
    for (const [, kind, name] of references) {
      expect(document.components).toHaveProperty([String(kind), String(name)])
    }
  })

  it('has each path once, with its parameters', () => {
    const paths = Object.keys(document.paths)
    expect(new Set(paths.map((path) => path.replace(/\{\w+\}/g, '{}'))).size).toBe(paths.length)
    for (const [path, item] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters } of Object.values(item)) {
        expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(named)
      }
    }
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
    for (const { operationId, summary, description, security = document.security } of all) {
      expect([summary, description, security], operationId).toEqual([
        expect.stringMatching(/./),
        expect.stringMatching(/./),
        expect.any(Array),
      ])
    }
    for (const { operationId, responses, tags } of operations) {
      // Separate statuses: code generators ignore `4XX`.
      expect(Object.keys(responses).join(' '), operationId).toMatch(/^2\d\d( 4\d\d)+ default$/)
      expect(tags, operationId).not.toEqual([])
      for (const tag of tags) expect(document.tags.map(({ name }) => name)).toContain(tag)
    }
  })

  it('says of every list what its items are', () => {
    JSON.parse(JSON.stringify(document), (_key, value) => {
      if (value?.type === 'array') expect(value.items, JSON.stringify(value)).toBeTypeOf('object')
      return value
    })
  })
})

it('notes every gap of an extension, by default at all of its operations', () => {
  const { paths } = documents['worst-case with extensions'] as (typeof documents)[string]
  const noted = Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, OperationObject>).flatMap((one) => {
      return (one['x-gaps'] ?? []).map((gap) => `${one.operationId} ${gap.id}=${gap.assumption}`)
    }),
  )
  for (const id of extensions.gaps.keys()) expect(noted.join('\n')).toContain(` ${id}=`)
  expect(noted).toEqual(
    expect.arrayContaining(['identities.note notes.kept=briefly', 'notes.list notes.kept=briefly']),
  )
})
