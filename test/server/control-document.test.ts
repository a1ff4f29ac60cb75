import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/doors/controls/table.js'
import { ask, document, operations } from './control-client.js'
import { serveDesk } from './desk.js'

const operationOf = (method: string, path: string) => document.paths[`/_sim${path}`][method.toLowerCase()]

describe('GET /_sim/control.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const server = await serveDesk()
    const { status, body } = await ask(server, 'GET', '/control.json')
    const validator = new Validator()
    const { errors, valid } = await validator.validate(body)
    expect({ status, errors, valid, version: validator.version }).toEqual({
      status: 200,
      errors: undefined,
      valid: true,
      version: '3.1',
    })
  })

  it('describes every operation of every route, each with a unique id', () => {
    const there = routes.map(({ route }) => route.replace(' ', ' /_sim'))
    expect(new Set(operations.map(({ method, path }) => `${method} ${path}`))).toEqual(new Set(there))
    expect(new Set(operations.map(({ id }) => id)).size).toBe(there.length)
  })

  it('describes every parameter, including the selected world', () => {
    for (const { method, path } of operations) {
      const { parameters, summary } = document.paths[path][method.toLowerCase()]
      expect(summary).toMatch(/\.$/)
      const names = parameters.map(({ name }: { name: string }) => name)
      expect(names).toEqual(expect.arrayContaining(['X-Sim-World', 'world']))
      for (const { name, description, in: where } of parameters) {
        if (where === 'query' && name === 'operation') continue
        expect(description, `${path} ${name}`).toMatch(/\w/)
      }
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const described = parameters.filter((parameter: { in: string }) => parameter.in === 'path')
      expect(described.map(({ name }: { name: string }) => name)).toEqual(inPath)
    }
  })

  it('has the bodies with their required fields', () => {
    const bodyOf = (method: string, path: string) => operationOf(method, path).requestBody
    const schemaOf = (method: string, path: string) => bodyOf(method, path).content['application/json'].schema
    expect(bodyOf('POST', '/worlds').required).toBe(false)
    expect(bodyOf('POST', '/messages').required).toBe(true)
    expect(Object.keys(bodyOf('POST', '/messages').content)).toEqual(['application/json', 'message/rfc822'])
    expect(schemaOf('POST', '/messages')).toMatchObject({ required: ['to'], additionalProperties: false })
    expect(schemaOf('POST', '/clock').oneOf).toEqual([
      { required: ['advance'] },
      { required: ['to'] },
      { required: ['mode'] },
    ])
    expect(schemaOf('PATCH', '/assumptions')).toMatchObject({ additionalProperties: { type: 'string' } })
    expect(operationOf('DELETE', '/faults').requestBody).toBeUndefined()
  })

  it('refers to resources of the service by name', () => {
    const answerOf = (status: number, method: string, path: string) =>
      operationOf(method, path).responses[status].content['application/json'].schema
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    expect(answerOf(201, 'POST', '/identities')).toEqual(ref('Identity'))
    expect(answerOf(200, 'POST', '/threads/{id}/read')).toEqual(ref('Thread'))
    expect(answerOf(201, 'POST', '/messages').properties).toEqual({
      message: ref('Message'),
      thread: ref('Thread'),
    })
    const names = ['Identity', 'Thread', 'Message', 'AttachmentEntry', 'Webhook']
    expect(Object.keys(document.components.schemas)).toEqual(names)
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to)
    const known = ['#/components/responses/Error', ...names.map((name) => `#/components/schemas/${name}`)]
    expect(new Set(refs)).toEqual(new Set(known))
  })
})
