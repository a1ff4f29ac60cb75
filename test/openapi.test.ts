import { gaps, type OperationName } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { defaultReadings, type GapId, gapIds } from '../src/contract/gaps.js'
import { gapsOfAnswers, gapsOfBodies, gapsOfParameters } from '../src/contract/openapi/gap-notes.js'
import { createOpenApi, type GapNote } from '../src/contract/openapi.js'
import { operationNames } from '../src/contract/operations.js'
import { operationOf } from './openapi/answer-schemas.js'

const document = createOpenApi({ version: '1.2.3' })
const { components, paths, webhooks } = document
const eventTypes = ['message.received', 'message.delivered', 'message.bounced']
const withoutGaps = JSON.parse(JSON.stringify(document), (key, value) =>
  key === 'x-gaps' ? undefined : value,
)

const idsOf = (noted: { readonly 'x-gaps'?: readonly GapNote[] } | undefined) =>
  (noted?.['x-gaps'] ?? []).map(({ id }) => id)

describe('the OpenAPI document', () => {
  it('is plain JSON and a new object each time', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
    expect(createOpenApi({ version: '1.2.3' })).toEqual(document)
    expect(createOpenApi({ version: '1.2.3' }).components).not.toBe(components)
  })

  it('has a title, a version and the server URL as a variable', () => {
    expect(document.info).toMatchObject({ title: 'Agent mailbox service', version: '1.2.3' })
    expect(document.info.description).toContain('x-gaps')
    const variables = { base_url: { default: 'http://127.0.0.1:4280' } }
    expect(document.servers).toEqual([{ url: '{base_url}', description: expect.any(String), variables }])
  })

  it('has the five operations', () => {
    const found = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [operation.operationId, method, path]),
    )
    expect(found).toEqual([
      ['identities.get', 'get', '/api/v1/identities/{handle}'],
      ['identities.update', 'patch', '/api/v1/identities/{handle}'],
      ['threads.list', 'get', '/api/v1/mail/threads'],
      ['messages.list', 'get', '/api/v1/mail/messages'],
      ['webhooks.list', 'get', '/api/v1/webhooks'],
    ])
  })

  it('has parameters with their bounds and defaults', () => {
    const parametersOf = (name: OperationName) =>
      operationOf(withoutGaps, name).parameters.map(({ description: _, ...parameter }) => parameter)
    const text = (name: string) => ({ name, in: 'query', required: false, schema: { type: 'string' } })
    const integer = (name: string, bounds: object) => ({
      ...text(name),
      schema: { type: 'integer', ...bounds },
    })
    const handle = { name: 'handle', in: 'path', required: true, schema: { type: 'string' } }
    expect(parametersOf('identities.get')).toEqual([handle])
    expect(parametersOf('identities.update')).toEqual([handle])
    expect(parametersOf('threads.list')).toEqual([
      text('agent'),
      text('mailbox'),
      integer('limit', { minimum: 1, maximum: 100, default: 50 }),
      integer('offset', { default: 0 }),
    ])
    expect(parametersOf('messages.list')).toEqual([
      text('thread_id'),
      text('agent'),
      integer('limit', { default: 50 }),
    ])
    const schema = { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 2 }
    expect(parametersOf('webhooks.list')).toEqual([
      { ...text('filters'), style: 'form', explode: true, schema },
    ])
  })

  it('refers to its schemas by name', () => {
    const names = ['Identity', 'Thread', 'Message', 'AttachmentEntry', 'Webhook', 'IdentityPatch']
    expect(Object.keys(components.schemas)).toEqual(names)
    const schemaOf = (name: OperationName) => operationOf(withoutGaps, name).responses[200].content
    const json = (schema: object) => ({ 'application/json': { schema } })
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    expect(schemaOf('identities.get')).toEqual(json(ref('Identity')))
    expect(schemaOf('identities.update')).toEqual(json(ref('Identity')))
    expect(operationOf(document, 'identities.update').requestBody?.content).toEqual(
      json(ref('IdentityPatch')),
    )
    for (const [list, name] of [
      ['threads', 'Thread'],
      ['messages', 'Message'],
      ['webhooks', 'Webhook'],
    ] as const) {
      const total = { type: 'integer', minimum: 0 }
      const properties = { [list]: { type: 'array', items: ref(name) }, total }
      const required = [list, 'total']
      const description = expect.any(String)
      expect(schemaOf(`${list}.list`)).toEqual(json({ type: 'object', properties, required, description }))
    }
    const { attachments } = components.schemas['Message']?.properties ?? {}
    expect(attachments?.items).toEqual(ref('AttachmentEntry'))
  })

  it('has the documented event types without schemas', () => {
    expect(Object.keys(webhooks)).toEqual(eventTypes)
    for (const { post } of Object.values(webhooks)) {
      expect(post.requestBody.content).toEqual({ 'application/json': { schema: {} } })
      expect(idsOf(post)).toContain('events.envelope')
    }
    const { events } = components.schemas['Webhook']?.properties ?? {}
    expect(events?.items).toEqual({ anyOf: [{ type: 'string', enum: eventTypes }, { type: 'string' }] })
  })

  it('names the section of the interface for everything', () => {
    const partsOf = (things: object) =>
      Object.values(things).map(({ 'x-interface-part': part }: { 'x-interface-part'?: string }) => part)
    const described = operationNames.map((name) => operationOf(document, name))
    expect(partsOf(described)).toEqual(['4.1', '4.2', '4.3', '4.4', '4.5'])
    expect(partsOf(components.schemas)).toEqual(['2.1', '2.2', '2.3', '2.3', '2.4', '4.2'])
    expect(partsOf(components.responses)).toEqual(['7'])
    expect(partsOf(components.securitySchemes)).toEqual(['5'])
  })

  it('describes no errors', () => {
    for (const name of operationNames) {
      expect(operationOf(document, name).responses.default).toEqual({ $ref: '#/components/responses/Error' })
    }
    for (const { schema } of Object.values(components.responses['Error']?.content ?? {})) {
      expect(schema).toEqual({})
    }
    expect(idsOf(components.responses['Error'])).toEqual(
      expect.arrayContaining(['errors.body', 'limits.rate']),
    )
  })
})

describe('the gaps of the OpenAPI document', () => {
  /** Returns the places of the document for a subject that a gap concerns. */
  function placesOf(subject: string): { readonly 'x-gaps'?: readonly GapNote[] }[] {
    if (subject === 'events') return Object.values(webhooks).map(({ post }) => post)
    const operation = operationNames.find((name) => name === subject)
    if (operation) return [operationOf(document, operation)]
    const [schema = '', field = ''] = subject.split('.')
    return [components.schemas[schema]?.properties?.[field] ?? {}]
  }

  it.each(gapIds)('%s is noted wherever it applies', (id) => {
    for (const subject of gaps[id].concerns) {
      for (const place of placesOf(subject)) expect(idsOf(place), subject).toContain(id)
    }
  })

  it('are noted with their text in the register', () => {
    const order = operationOf(document, 'threads.list')['x-gaps']?.find(({ id }) => id === 'threads.total')
    expect(order).toEqual({
      id: 'threads.total',
      question: gaps['threads.total'].question,
      readings: gaps['threads.total'].readings.map(({ name, means }) => ({ name, means })),
      default: 'all-matches',
      part: '4.3',
    })
  })

  it('are noted at the parameters and list properties that they concern', () => {
    const noted = operationNames.flatMap((name) => {
      const { parameters, responses } = operationOf(document, name)
      const { properties = {} } = responses[200].content?.['application/json']?.schema ?? {}
      const inAnswer = Object.entries(properties).map(([field, schema]) => [field, idsOf(schema)] as const)
      return [...parameters.map((parameter) => [parameter.name, idsOf(parameter)] as const), ...inAnswer]
    })
    const idsBy: Record<string, Set<GapId>> = {}
    for (const [place, ids] of noted) idsBy[place] = new Set([...(idsBy[place] ?? []), ...ids])
    const wanted = Object.entries({ ...gapsOfParameters, ...gapsOfAnswers })
    expect(idsBy).toEqual(Object.fromEntries(wanted.map(([place, ids]) => [place, new Set(ids)])))
    expect(idsOf(operationOf(document, 'identities.update').requestBody)).toEqual(gapsOfBodies)
    expect(idsOf(components.schemas['AttachmentEntry'])).toContain('messages.attachment-entry')
    expect(idsOf(components.securitySchemes['bearer'])).toContain('auth.keys')
  })

  it('are noted with the current readings, if given', () => {
    const readings = { ...defaultReadings, 'errors.body': 'problem' } as const
    const error = createOpenApi({ version: '1.2.3', readings }).components.responses['Error']
    const chosen = error?.['x-gaps']?.map(({ id, reading }) => [id, reading])
    expect(chosen).toEqual(idsOf(error).map((id) => [id, readings[id]]))
    expect(idsOf(error)).toEqual(idsOf(components.responses['Error']))
  })
})
