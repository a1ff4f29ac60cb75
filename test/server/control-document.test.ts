import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { defaultAssumptions } from '../../src/contract/gaps.js'
import { createOpenApi } from '../../src/contract/openapi.js'
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

  it('has the answers with their fields', () => {
    const answerOf = (status: number, method: string, path: string) =>
      operationOf(method, path).responses[status].content['application/json'].schema
    const { message, thread } = answerOf(201, 'POST', '/messages').properties
    expect(answerOf(200, 'POST', '/threads/{id}/read')).toEqual(thread)
    expect([message.required, thread.required].map(({ length }) => length > 5)).toEqual([true, true])
  })
})

it('GET /_sim/openapi.json returns the documented interface with the current assumptions', async () => {
  const server = await serveDesk()
  server.simulator.assumptions.set({ 'threads.total': 'page-size' })
  const { version } = packageJson
  const assumptions = { ...defaultAssumptions, 'threads.total': 'page-size' } as const
  const expected = createOpenApi({ version, assumptions, server: server.url })
  const { status, body } = await ask(server, 'GET', '/openapi.json')
  expect([status, body]).toEqual([200, JSON.parse(JSON.stringify(expected))])
})
